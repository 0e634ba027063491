import { toMapping } from '../../../common/mapping.ts';
import type { Prompt, Protocol } from '../prompt.ts';
import { readChatPrompt } from './chat.ts';
import { readGeneratePrompt } from './generate.ts';
import type { Members } from './members.ts';
import { readMessagesPrompt } from './messages.ts';
import { readResponsesPrompt } from './responses.ts';

const readers: Readonly<Record<Protocol, (body: Members) => Prompt>> = {
  chat: readChatPrompt,
  responses: readResponsesPrompt,
  messages: readMessagesPrompt,
  generate: readGeneratePrompt,
};

/** Reads what the body of a request asks of a model. What is missing or has another type is ignored. */
export const readPrompt = (protocol: Protocol, body: unknown): Prompt => readers[protocol](toMapping(body));
