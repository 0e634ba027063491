import { type CANCEL_SYMBOL, confirm, isCancel, multiselect, password, text } from '@clack/prompts';
import type { billingRequests, KeyName, optionalKeys } from '../../init/optional-properties.ts';
import { CancelError } from './conclude.ts';

/** Questions go to stderr, so that stdout contains only the result. */
const promptStreams = { input: process.stdin, output: process.stderr };

/** Asks the user for the base URL. Rejects with a `CancelError` if the user cancels. */
export async function askBaseUrl(): Promise<string> {
  return waitForAnswer(
    text({
      ...promptStreams,
      message:
        'What is the base URL of the gateway? Request paths such as /v1/models are appended to the base URL.',
      placeholder: 'https://gateway.example',
      validate: (value) =>
        /^https?:\/\//i.test(value ?? '') && URL.canParse(value ?? '')
          ? undefined
          : 'Enter a URL that begins with http:// or https://.',
    }),
  );
}

/**
 * Asks the user for the valid key, without showing the input. `variable` is the environment variable that is unset or
 * empty. Rejects with a `CancelError` if the user cancels.
 */
export async function askKey(variable: string): Promise<string> {
  return waitForAnswer(
    password({
      ...promptStreams,
      message: `${variable} is unset or empty. Enter a valid key of this gateway (the key is not written to any file):`,
      validate: (value) => (value ? undefined : 'Enter a key: without a key, no request can be sent.'),
    }),
  );
}

/**
 * Asks the user which optional keys the environment will contain, and returns the roles of these keys. The keys in
 * `known` are preselected. Asks nothing if `keys` is empty. Rejects with a `CancelError` if the user cancels.
 */
export async function askKeys(
  keys: readonly (typeof optionalKeys)[number][],
  known: readonly KeyName[],
): Promise<KeyName[]> {
  if (keys.length === 0) return [];
  return waitForAnswer(
    multiselect({
      ...promptStreams,
      message: 'Which other keys will you set in the environment? (Space selects, Enter continues)',
      options: keys.map(({ role, variable, about }) => ({ value: role, label: variable, hint: about })),
      initialValues: known.filter((role) => keys.some((key) => key.role === role)),
      required: false,
    }),
  );
}

/**
 * Asks the user for the request lines of billing-type endpoints, and returns the lines by operation. Omits empty
 * answers. Rejects with a `CancelError` if the user cancels.
 */
export async function askBilling(
  requests: readonly (typeof billingRequests)[number][],
): Promise<Record<string, string>> {
  const lines: Record<string, string> = {};
  for (const { operation, example, about } of requests) {
    const line = await waitForAnswer(
      text({
        ...promptStreams,
        message: `Request line for ${operation}: ${about} (leave empty if the gateway does not offer this operation)`,
        placeholder: example,
        validate: (value) =>
          !value || /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(value)
            ? undefined
            : `Enter a method and a path, such as ${example}.`,
      }),
    );
    if (line) lines[operation] = line;
  }
  return lines;
}

/** Asks the user a yes-or-no question. The default is no. Rejects with a `CancelError` if the user cancels. */
export async function askWhether(message: string): Promise<boolean> {
  return waitForAnswer(confirm({ ...promptStreams, message, initialValue: false }));
}

async function waitForAnswer<T>(asked: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const given = await asked;
  if (isCancel(given)) throw new CancelError('Nothing was written.');
  return given;
}
