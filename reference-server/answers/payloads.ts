import { join } from 'node:path';
import { packageRoot } from '../../common/package-root.ts';
import { isJsonObject, isObject, type Json, type JsonObject } from '../json.ts';
import { readValidFile } from '../schemas.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import { type Answer, type AnswerPart, countAnswer, type Finish } from './answer.ts';
import type { Protocol } from './prompt.ts';
import { compileTemplate, type Fill, type Fragments, type Scope } from './template.ts';

/** An answer, and what a response says about it. `createdAt` is in milliseconds since 1970-01-01 UTC. */
export type Answered = {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  readonly usage: { readonly input: number };
  readonly createdAt: number;
};

/** A file `fixtures/answers/PROTOCOL.yaml`. The README of this folder describes it. */
type AnswerFile = {
  /** The names of the protocol for the ways in which an answer ends. */
  readonly finish: Readonly<Record<Finish, string>>;
  /** The member of an event that is also its name. Default: events have no name. */
  readonly eventName?: string;
  /** The member of an event with its position in the stream, counted from 0. */
  readonly eventNumber?: string;
  readonly body: Json;
  readonly events: readonly Json[];
  readonly fragments: Fragments;
};

type Form = Omit<AnswerFile, 'body' | 'events'> & { readonly body: Fill; readonly events: Fill };

const forms = new Map<Protocol, Form>();

function formOf(protocol: Protocol): Form {
  const known = forms.get(protocol);
  if (known) return known;
  const path = join(packageRoot, 'fixtures', 'answers', `${protocol}.yaml`);
  const file = readValidFile<AnswerFile>(path, 'answers');
  const form = {
    ...file,
    body: compileTemplate(file.body, file.fragments),
    events: compileTemplate(file.events, file.fragments),
  };
  forms.set(protocol, form);
  return form;
}

/** Returns the body of a response that is not streamed. `request` is the body of the request. */
export function createAnswerBody(protocol: Protocol, answered: Answered, request: unknown): Json {
  const form = formOf(protocol);
  return form.body(createScope(answered, request, form, (part) => part)) ?? null;
}

/** Returns the events of a streamed response. `request` is the body of the request. */
export function createAnswerEvents(
  protocol: Protocol,
  answered: Answered,
  request: unknown,
): readonly OutgoingEvent[] {
  const form = formOf(protocol);
  const { eventName, eventNumber } = form;
  const events = form.events(createScope(answered, request, form, divide));
  return (Array.isArray(events) ? events : []).map((event: Json, index) => {
    if (!isObject(event)) return { name: undefined, data: event };
    const data = eventNumber === undefined ? event : { ...event, [eventNumber]: index };
    return { name: eventName === undefined ? undefined : String(event[eventName]), data };
  });
}

/** The values of the templates. Their parts are numbered, and their calls are numbered apart. */
function createScope(
  { id, model, answer, usage, createdAt }: Answered,
  request: unknown,
  form: Form,
  prepare: (part: JsonObject) => JsonObject,
): Scope {
  const beginning = id.replaceAll('-', '').slice(0, 22);
  const parts = answer.parts.map((part, index) => prepare(createPart(part, index, beginning)));
  const texts = parts.filter(({ kind }) => kind === 'text');
  const calls = parts.filter(({ kind }) => kind === 'call');
  const { output, reasons } = countAnswer(answer);
  const { input } = usage;
  return {
    answer: id,
    created: Math.floor(createdAt / 1000),
    model,
    parts,
    texts,
    text: texts.length > 0 ? texts.map(({ text }) => text).join('') : null,
    calls: calls.map((call, index) => ({ ...call, index })),
    finish: form.finish[answer.finish],
    stop: answer.stop,
    tokens: { input, output, reasons, answer: output - reasons, total: input + output },
    request: isJsonObject(request) ? request : {},
  };
}

function createPart(part: AnswerPart, index: number, beginning: string): JsonObject {
  const id = `${beginning}${String(index).padStart(2, '0')}`;
  if (part.kind === 'text') return { ...part, id, index };
  const signed = { ...part, id, index, signature: Buffer.from(`signed-${id}`).toString('base64') };
  return part.kind === 'call' ? { ...signed, json: JSON.stringify(part.arguments) } : signed;
}

/** Adds the pieces in which a part is streamed. */
const divide = (part: JsonObject): JsonObject => ({
  ...part,
  pieces: typeof part.json === 'string' ? splitJson(part.json) : splitText(String(part.text)),
});

const splitJson = (json: string): readonly string[] => json.match(/.{1,8}/gsu) ?? [];

/**
 * Splits a text into words of at most 24 characters, each with the whitespace after it. Returns one empty word for an empty
 * text.
 */
const splitText = (text: string): readonly string[] => text.match(/\S{1,24}\s*|\s+/gu) ?? [''];
