import { packageInfo } from '../../common/package-info.ts';
import type { Catalog } from '../../runner/catalog/catalog.ts';
import type { Profile } from '../../runner/profile/profile.ts';
import { createPromise } from '../../runner/profile/promise.ts';
import { parseProfile } from '../../runner/profile/read-profile.ts';
import type { Report } from '../../runner/report/report.ts';
import { createTrafficChecker } from '../../runner/traffic/check-traffic.ts';
import { readRecording } from '../../runner/traffic/recordings/read-recording.ts';

/**
 * One exchange in a test table. By default, the exchange is a chat call without streaming and without a response body.
 * `at` is in milliseconds since 1970-01-01 UTC, and `time` in milliseconds.
 */
export type ExchangeRow = {
  readonly method?: string;
  readonly url?: string;
  readonly sent?: Readonly<Record<string, string>>;
  /** The body of a `POST` request. A string is recorded unchanged, and any other value as JSON. */
  readonly body?: unknown;
  readonly status: number;
  readonly received?: Readonly<Record<string, string>>;
  readonly answer?: unknown;
  readonly at?: number;
  readonly time?: number;
};

export const gateway = 'https://gateway.example';
export const traceId = '0b8f7a52-5f0c-4d6c-9a44-0d5f6f1f2a10';
export const client = {
  authorization: 'Bearer sk-client-0123456789abcdef',
  'content-type': 'application/json',
};
export const helloBody = { model: 'some-model', messages: [{ role: 'user', content: 'Hello' }] };

/** Returns the HAR entry of an exchange. */
export function entryOf({
  method = 'POST',
  url = '/v1/chat/completions',
  sent = client,
  body = helloBody,
  status,
  received = { 'content-type': 'application/json', 'x-trace-id': traceId },
  answer,
  at = Date.UTC(2026, 0, 1),
  time = 20,
}: ExchangeRow): object {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    startedDateTime: new Date(at).toISOString(),
    time,
    request: {
      method,
      url: new URL(url, gateway).href,
      headers: pairs(sent),
      ...(method === 'POST' && { postData: { mimeType: 'application/json', text: text(body) } }),
    },
    response: {
      status,
      headers: pairs(received),
      content: { mimeType: 'application/json', ...(answer !== undefined && { text: text(answer) }) },
    },
  };
}

function pairs(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Returns an error body of a model endpoint that satisfies section 2.2. */
export function errorOf(status: number, type: string, message = 'The model or its messages'): object {
  const details = type === 'insufficient_balance' ? { recharge_url: 'https://gateway.example/pay' } : null;
  return { error: { message, type, code: status, details }, trace_id: traceId };
}

/** Returns the profile of the gateway in these tables. If `stated` is empty, the profile has no base URL. */
export function profileWith(catalog: Catalog, stated: object = {}): Profile {
  const profile = parseProfile(
    { baseUrl: gateway, keys: { valid: 'sk-valid-0123456789abcdef' }, ...stated },
    catalog,
  );
  return Object.keys(stated).length > 0 ? profile : { ...profile, baseUrl: '' };
}

/**
 * Returns the report of `check` for a recording with this text. The recording is read twice: first to learn from
 * the exchanges, then to judge the exchanges.
 */
export async function checkRecording(catalog: Catalog, profile: Profile, text: string): Promise<Report> {
  const check = createTrafficChecker({
    source: 'recording',
    promise: createPromise(catalog, profile),
    tool: packageInfo,
  });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  for (const isFirst of [true, false]) {
    check.startRecording();
    for await (const items of readRecording(bytes(), 'capture')) {
      for (const item of items) {
        if (item.kind === 'exchange') (isFirst ? check.learn : check.judge)(item.recorded);
        else if (item.kind === 'metadata') check.setMetadata(item.name, item.value);
        else if (!isFirst) check.skip(item.problem, item.place);
      }
    }
  }
  return check.report();
}

/** Returns the requirements with the outcome `violates` or `warns`, each as `violates ID` or `warns ID`. */
export function failuresIn({ requirements }: Report): string[] {
  return requirements
    .filter(({ outcome }) => outcome === 'violates' || outcome === 'warns')
    .map(({ id, outcome }) => `${outcome} ${id}`);
}
