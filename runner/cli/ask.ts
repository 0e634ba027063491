import { type CANCEL_SYMBOL, confirm, isCancel, multiselect, password, text } from '@clack/prompts';
import { billingRequests, type KeyName, optionalKeys } from '../profile/additions.ts';
import { Cancelled } from './user-error.ts';

/** The questions go where the progress goes, so that stdout stays free for what was found. */
const common = { input: process.stdin, output: process.stderr };

/** Asks for the base URL. */
export async function askBaseUrl(): Promise<string> {
  return answer(
    text({
      ...common,
      message: 'Where is the gateway? Request paths such as /v1/models are appended to it.',
      placeholder: 'https://gateway.example',
      validate: (value) => (URL.canParse(value ?? '') ? undefined : 'It begins with http:// or https://'),
    }),
  );
}

/** Asks for the valid key, without showing it. */
export async function askKey(): Promise<string> {
  return answer(
    password({
      ...common,
      message:
        'GATEWAY_API_KEY is not set. A good key of this gateway (it is used now, and written nowhere):',
      validate: (value) => (value ? undefined : 'Without a key nothing can be found out.'),
    }),
  );
}

/** Asks which optional keys there are; those in `known` are chosen already. */
export async function askKeys(known: readonly KeyName[]): Promise<KeyName[]> {
  return answer(
    multiselect({
      ...common,
      message: 'Which further keys will the environment have? (space chooses, enter goes on)',
      options: optionalKeys.map(({ role, variable, about }) => ({
        value: role,
        label: variable,
        hint: about,
      })),
      initialValues: known,
      required: false,
    }),
  );
}

/** Asks for the request lines of the billing-type operations; those left empty are not in the answer. */
export async function askBilling(): Promise<Record<string, string>> {
  const lines: Record<string, string> = {};
  for (const { operation, example, about } of billingRequests) {
    const line = await answer(
      text({
        ...common,
        message: `The request of ${operation}: ${about} (empty: there is none)`,
        placeholder: example,
        validate: (value) =>
          !value || /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(value)
            ? undefined
            : `A method and a path: ${example}`,
      }),
    );
    if (line) lines[operation] = line;
  }
  return lines;
}

/** Asks a question of yes or no, where enter means no. */
export async function askWhether(message: string): Promise<boolean> {
  return answer(confirm({ ...common, message, initialValue: false }));
}

async function answer<T>(asked: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const given = await asked;
  if (isCancel(given)) throw new Cancelled('Nothing was written.');
  return given;
}
