import { withDecisions } from '../combine-setups.ts';
import type { Decisions, Overrides } from '../gateway/decisions.ts';
import { isObject, type Json } from '../json.ts';
import type { Variant } from './variant.ts';

const setSerialiser =
  (serializeJson: Decisions['serializeJson']): Overrides =>
  () => ({ serializeJson });

function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  const entries: [string, Json][] = Object.entries(value);
  return Object.fromEntries(entries.reverse().map(([name, member]) => [name, reverseMembers(member)]));
}

const escapeText = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Variants of error bodies and their format: sections 2.2 and 7 leave these choices open. */
export const errorVariants: readonly Variant[] = [
  {
    id: 'errors/details-tell-more',
    about: 'Adds the path of the request and hints to the `details` of errors.',
    setup: withDecisions((base) => ({
      errorDetailsOf: (failure, ctx) => ({
        ...base.errorDetailsOf(failure, ctx),
        path: ctx.request.path,
        hints: ['Read the documentation.'],
        recharge_url_hint: null,
      }),
    })),
  },
  {
    id: 'errors/code-with-a-fraction',
    about: 'Writes `error.code` with a fraction, such as `400.0`, which is an integer in JSON Schema.',
    setup: withDecisions(
      setSerialiser((value) => JSON.stringify(value).replace(/"code":(\d{3})([,}])/g, '"code":$1.0$2')),
    ),
  },
  {
    id: 'errors/code-with-an-exponent',
    about: 'Writes `error.code` with an exponent, such as `4.00E+2`.',
    setup: withDecisions(
      setSerialiser((value) =>
        JSON.stringify(value).replace(/"code":(\d)(\d\d)([,}])/g, '"code":$1.$2E+2$3'),
      ),
    ),
  },
  {
    id: 'errors/pretty-printed',
    about: 'Indents JSON and adds a line break at the end.',
    setup: withDecisions(setSerialiser((value) => `${JSON.stringify(value, null, '\t')}\r\n`)),
  },
  {
    id: 'errors/reordered',
    about: 'Writes the members of every object in reverse order.',
    setup: withDecisions(setSerialiser((value) => JSON.stringify(reverseMembers(value)))),
  },
  {
    id: 'errors/escaped',
    about: 'Writes names and strings with escapes that JSON allows.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) => `‘${base.errorMessageOf(failure, ctx)}’ — 错误 🙅`,
      serializeJson: (value) =>
        escapeText(JSON.stringify(value)).replaceAll('"error":', '"\\u0065rror":').replaceAll('/', '\\/'),
    })),
  },
];
