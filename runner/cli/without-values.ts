import { describeValue, hideKeys } from '../profile/describe-value.ts';

/** The errors of the command line that repeat a value: what precedes the value, the value, and what follows it. */
const repeating: readonly { readonly form: RegExp; readonly shows: (value: string) => string }[] = [
  { form: /^(error: unknown option '--?[\w-]*)=(.*)('\n)/s, shows: () => '=…' },
  {
    form: /^(error: option '[^']*') argument '(.*)' (is invalid)/s,
    shows: (value) => `: the value ${describeValue(value)} `,
  },
  { form: /^(error: unknown command )'(.*)'(\n)/s, shows: describeValue },
];

/** An error of the command line without the values that it repeats, since one may be a key given in the wrong place. */
export function withoutValues(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const shown = repeating.reduce(
    (message, { form, shows }) =>
      message.replace(
        form,
        (_, before: string, value: string, after: string) => before + shows(value) + after,
      ),
    text,
  );
  return hideKeys(shown, environment);
}
