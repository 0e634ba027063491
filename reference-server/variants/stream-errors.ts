import type { Json } from '../json.ts';
import { inStream, inStreamWarns } from './streams.ts';
import { deciding, type Variant } from './variant.ts';

const telling = (id: string, about: string, name: string, data: Json): Variant => ({
  id,
  about,
  warns: inStreamWarns,
  setup: deciding(inStream(() => `${name}data: ${JSON.stringify(data)}\n\ndata: [DONE]\n\n`)),
});

/** What 7.3 rule 4 leaves open about the form of an error in a stream that has begun. */
export const streamErrorVariants: readonly Variant[] = [
  telling('streams/errors-in-a-choice', 'Reports errors in the choice of a stream chunk.', '', {
    choices: [{ index: 0, delta: {}, error: { code: 400, message: 'No.' } }],
  }),
  telling('streams/errors-as-an-end', 'Reports errors as the finish reason of the last stream chunk.', '', {
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  }),
  telling('streams/errors-bare', 'Reports errors as a stream event with a code and a message.', '', {
    code: 'model_not_available',
    message: 'No.',
  }),
  telling('streams/errors-by-number', 'Reports errors as a stream event with a status and a message.', '', {
    code: 400,
    message: 'No.',
  }),
  telling(
    'streams/errors-by-name',
    'Reports errors only by the name of a stream event.',
    'event: response.failed\n',
    { reason: 'No.' },
  ),
];
