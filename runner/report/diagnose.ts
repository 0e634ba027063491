import { formatSeconds } from '../../common/duration.ts';
import { formatList, pluralize } from '../../common/lists.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { readMember } from '../../common/pointer.ts';
import { formatOneLine } from '../../common/printable.ts';
import type { ErrorRows } from '../catalog/errors.ts';
import { type Operations, operationIds } from '../catalog/operations.ts';
import { isKeyRejected } from '../evidence/attribution.ts';
import { type Control, type Execution, isKeyAccepted, listExchanges } from '../evidence/controls.ts';
import { createLimitCheck, findRequestLimit, type RequestLimit } from '../evidence/request-limit.ts';
import { rateWithin } from '../evidence/stated-limit.ts';
import { type Answer, answerOf, type Exchange, type TransportFailure } from '../exchange/exchange.ts';
import { formatBaseUrlHint } from '../profile/base-url.ts';
import { findModelOperation, modelOperations } from '../profile/profile.ts';
import type { DescribeContext } from './describe-exchange.ts';
import type { Redact } from './redaction/redact.ts';
import type { Diagnosis } from './report.ts';

export interface DiagnoseContext extends Pick<DescribeContext, 'baseUrl' | 'redact'> {
  readonly operations: Operations;
  readonly errors: ErrorRows;
}

/** An operation that was not tried, because no model is known. */
interface Untried {
  readonly id: string;
  /** An entry of the model list that stands for several models. */
  readonly pattern: string | undefined;
}

interface FailedControl {
  readonly id: string;
  readonly kind: Control['kind'];
  readonly exchange: Exchange;
}

/**
 * Returns the reasons why the run or an operation could not be judged, with the remedy if one is known. Adds the
 * changes of keys and balances that the run could not undo. Returns an empty list if no such reason or change exists.
 */
export function diagnose(execution: Execution, context: DiagnoseContext): Diagnosis[] {
  const left = execution.leftovers.map(
    (reason): Diagnosis => ({
      kind: 'left-changed',
      operation: undefined,
      message: `The run could not undo all of its changes to keys or balances. ${context.redact(reason)}`,
    }),
  );
  return [...diagnoseUntested(execution, context), ...left];
}

function diagnoseUntested(execution: Execution, context: DiagnoseContext): Diagnosis[] {
  const { controls, stopped } = execution;
  const { baseUrl, redact } = context;
  if (stopped?.kind === 'unanswered') {
    const failures = listExchanges(execution).flatMap(({ result }) =>
      result.kind === 'failure' ? [result.failure] : [],
    );
    const message = `${stopped.reason} ${adviseOn(failures, baseUrl)}`;
    return [{ kind: 'unreachable', operation: undefined, message }];
  }
  if (stopped?.kind === 'time' && !listExchanges(execution).some(answerOf)) {
    const message = `${baseUrl} did not respond to any request. ${stopped.reason}`;
    return [{ kind: 'unreachable', operation: undefined, message }];
  }
  const limit = findRequestLimit(execution);
  const limited: Diagnosis[] = limit
    ? [{ kind: 'rate-limited', operation: undefined, message: formatLimit(limit, redact) }]
    : [];
  if (stopped) return [{ kind: 'stopped', operation: undefined, message: stopped.reason }, ...limited];
  const failed = operationIds.flatMap((id): FailedControl[] => {
    const control = controls.plain.get(id);
    return control && 'exchange' in control ? [{ id, kind: control.kind, exchange: control.exchange }] : [];
  });
  // An operation that the specification requires should not go untested unnoticed.
  const untried = modelOperations.flatMap((id): Untried[] => {
    const control = controls.plain.get(id);
    const matters = !isKeyAccepted(controls) || context.operations[id].stated === 'spec';
    return control?.kind === 'no-model' && matters ? [{ id, pattern: control.pattern }] : [];
  });
  const general = isKeyAccepted(controls) ? undefined : diagnoseAll(failed, untried, context);
  if (general) return [general];
  const isLimited = createLimitCheck(execution);
  const own = failed
    .filter(({ kind }) => kind !== 'absent' || !isKeyAccepted(controls))
    .filter(({ exchange }) => !isLimited(exchange))
    .map(
      ({ id, kind, exchange }): Diagnosis => ({
        kind: 'control-failed',
        operation: id,
        message: formatFailed({ id, kind, exchange }, redact),
      }),
    );
  const [first] = untried;
  const unknown: Diagnosis[] =
    first === undefined
      ? []
      : [{ kind: 'control-failed', operation: first.id, message: formatUntried(untried, redact).trim() }];
  const [rejected] = controls.rejected.values();
  const refused: Diagnosis[] = rejected
    ? [{ kind: 'key-refused', operation: undefined, message: formatRejected(rejected, redact) }]
    : [];
  // A key that is no longer valid also explains why the controls after the wrong keys failed.
  const lockedOut = [...controls.lockedOut].filter(
    ([, exchange]) => !rejected || !isKeyRejected(exchange, context.errors),
  );
  const locked = lockedOut.map(
    ([id, exchange]): Diagnosis => ({
      kind: 'locked-out',
      operation: id,
      message: formatLockedOut(id, exchange, redact),
    }),
  );
  const nothing: Diagnosis[] =
    isKeyAccepted(controls) || failed.length === 0
      ? []
      : [
          {
            kind: 'no-good-call',
            operation: undefined,
            message: 'No control succeeded. Check the gateway and the profile, and run the tests again.',
          },
        ];
  return [...limited, ...own, ...unknown, ...refused, ...locked, ...nothing];
}

/** Returns what to try if the gateway cannot be reached because of these failures. */
function adviseOn(failures: readonly TransportFailure[], baseUrl: string): string {
  const withScheme = (scheme: string): string => baseUrl.replace(/^https?:/, scheme);
  const details = failures.flatMap(({ reason, detail }) => (reason === 'tls' ? [detail] : []));
  if (details.some((detail) => /wrong version number|packet length too long/.test(detail)))
    return `The server at this address does not use TLS. Did you mean ${withScheme('http:')}?`;
  if (details.some((detail) => /self.signed|unable to (verify|get)/.test(detail)))
    return 'State the certificate of its authority with `--ca FILE`. For a test, `--insecure` accepts any certificate.';
  if (details.length > 0)
    return 'Check the certificate of the gateway. For a test, `--insecure` accepts any certificate.';
  const isClosed = failures.some(({ reason }) => reason === 'reset') && baseUrl.startsWith('http:');
  return `Is the gateway running at ${baseUrl}?${isClosed ? ` If its port uses TLS, try ${withScheme('https:')}.` : ''}`;
}

/**
 * Returns the reason why no operation succeeded: a rejected key or a wrong base URL. Returns undefined if the
 * controls failed for several reasons or for another reason, or if no control failed.
 */
function diagnoseAll(
  failed: readonly FailedControl[],
  untried: readonly Untried[],
  { baseUrl, operations, redact }: DiagnoseContext,
): Diagnosis | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const isEvery = (kind: Control['kind']): boolean => failed.every((control) => control.kind === kind);
  if (isEvery('refused')) {
    // The key is the problem, so the text omits the remedy for operations that were not tried.
    const refused =
      untried.length === 0
        ? `Every operation rejects the key (${summarizeAnswer(first.exchange, redact)}).`
        : `The key is rejected (${formatFailedRequests(failed, redact)}).`;
    const message = `${refused} Check that GATEWAY_API_KEY, or keys.valid in the profile, is a key of this gateway.`;
    return { kind: 'key-refused', operation: undefined, message };
  }
  const rest = formatUntried(untried, redact);
  if (isEvery('absent') || isEvery('web-page')) {
    // If the response is a web page, the base URL is probably wrong, so the text omits the remedy for operations that
    // were not tried.
    const [page, remedy] = isEvery('web-page') ? [' with a web page', ''] : ['', rest];
    const advice = formatBaseUrlHint(baseUrl, operations) ?? (remedy === '' ? 'Check the base URL.' : '');
    const message = `At ${baseUrl}, ${formatFailedRequests(failed, redact)}${page}.${advice && ` ${advice}`}${remedy}`;
    return { kind: 'wrong-path', operation: undefined, message };
  }
  return undefined;
}

/** Formats requests and their results, such as `POST /v1/chat/completions and GET /v1/models returned 404`. */
function formatFailedRequests(failed: readonly FailedControl[], redact: Redact): string {
  const requests = new Map<string, string[]>();
  for (const { exchange } of failed) {
    const answer = summarizeAnswer(exchange, redact);
    const request = `${exchange.request.method} ${redact(exchange.request.path)}`;
    requests.set(answer, [...(requests.get(answer) ?? []), request]);
  }
  return [...requests].map(([answer, asked]) => `${formatList(asked)} returned ${answer}`).join(', ');
}

/**
 * Formats the operations that were not tried, and the remedy. The text begins with a space. Returns an empty string
 * if all operations were tried.
 */
function formatUntried(untried: readonly Untried[], redact: Redact): string {
  const [first] = untried;
  if (first === undefined) return '';
  const [operation, were] = untried.length === 1 ? ['operation', 'was'] : ['operations', 'were'];
  const listed =
    first.pattern === undefined
      ? ''
      : `: the model list has patterns such as ${JSON.stringify(formatText(first.pattern, redact))}`;
  return ` The ${operation} ${formatList(untried.map(({ id }) => id))} ${were} not tried, because no model is known${listed}. Set \`models.${first.id}.good\` in the profile, or add \`--model ${first.id}=ID\`.`;
}

function formatFailed({ id, kind, exchange }: FailedControl, redact: Redact): string {
  const answer = summarizeAnswer(exchange, redact);
  const model = exchange.model === undefined ? undefined : JSON.stringify(exchange.model);
  if (kind === 'web-page')
    return `The response of the operation \`${id}\` is a web page (${answer}), so the cases that send other requests to the operation are not judged. Check \`baseUrl\` and \`operations.${id}\` in the profile.`;
  if (kind === 'unknown-model')
    return `The gateway does not know the model ${model} (${answer}), so the cases that send other requests to the operation \`${id}\` are not judged. Set \`models.${findModelOperation(id)}.good\` in the profile to a model of this gateway.`;
  const place = model === undefined ? `operations.${id}` : `models.${findModelOperation(id)}.good`;
  const sent = model === undefined ? '' : ` with the model ${model}`;
  return `No control of the operation \`${id}\` succeeded${sent} (${answer}), so the cases that send other requests to the operation are not judged. Check the gateway, and \`${place}\` and \`keys.valid\` in the profile.`;
}

function formatRejected(exchange: Exchange, redact: Redact): string {
  return `The gateway accepted the key \`keys.valid\` at first, but later rejected the key (${summarizeAnswer(exchange, redact)}), so some responses cannot be judged. The key may have been deleted, or may have expired or run out of credit. Run the tests again with a key that stays valid.`;
}

function formatLimit({ header, isStated, exchange, ...limit }: RequestLimit, redact: Redact): string {
  const { requests, withinMs, stopped } = limit;
  const seen = [
    summarizeAnswer(exchange, redact),
    ...(header === undefined ? [] : [formatText(header, redact)]),
  ];
  const observed = isStated
    ? ''
    : ` It served ${pluralize(requests, 'request')} in ${formatSeconds(Math.round(withinMs / 100) * 100)} and then returned 429.`;
  const rate = formatFittingRate(limit);
  const remedy =
    rate === undefined ? 'Select fewer cases with `--suite` or `--only`.' : `Run with \`--rate ${rate}\`.`;
  return `The gateway limits requests (${seen.join(', ')}), so ${pluralize(stopped, 'request')} got no other response.${observed} ${remedy}`;
}

/** Returns the value of `--rate` that stays below a limit; undefined if the limit is below one request a minute. */
function formatFittingRate(limit: Pick<RequestLimit, 'requests' | 'withinMs'>): string | undefined {
  const perMinute = Math.floor(60 * rateWithin(limit));
  if (perMinute < 1) return undefined;
  return perMinute < 600 ? `${perMinute}/m` : `${Math.floor(perMinute / 60)}/s`;
}

function formatLockedOut(id: string, exchange: Exchange, redact: Redact): string {
  const answer = summarizeAnswer(exchange, redact);
  const status = answerOf(exchange)?.status ?? 0;
  const other = status === 401 ? ', or the key may no longer be valid' : '';
  return status >= 500
    ? `After requests with wrong keys, a valid call to the operation \`${id}\` failed (${answer}). The gateway or its upstream may be down. Check the gateway, and run the tests again.`
    : `After requests with wrong keys, a valid call to the operation \`${id}\` failed too (${answer}). The gateway may have blocked this address${other}. Run the tests again later, or with \`--safe\`, which sends fewer wrong keys.`;
}

/** Returns the diagnoses of several rounds or shards without duplicates. */
export function withoutRepetitions(items: readonly Diagnosis[]): Diagnosis[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** The maximum number of characters of a quoted message. */
const longest = 160;

/** The JSON pointers to the error message in the bodies of common gateways, in the order of preference. */
const messagePointers = [
  '/error/message',
  '/error',
  '/message',
  '/detail',
  '/errors/0/message',
  '/error/type',
] as const;

/**
 * Formats the result of an exchange on one line, such as `404 "No such route"`. The line is the status, with the
 * message or else the body of the response, or with the target of a redirect. If no response was received, the line
 * is the reason. Keys are redacted.
 */
export function summarizeAnswer(exchange: Exchange, redact: Redact): string {
  const answer = answerOf(exchange);
  if (!answer)
    return exchange.result.kind === 'failure'
      ? formatText(exchange.result.failure.detail, redact)
      : 'no response';
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return `${answer.status} to ${formatText(location, redact)}, which is not followed, so that no key is sent to another host`;
  const message = readGatewayMessage(answer).trim();
  return message === '' ? String(answer.status) : `${answer.status} "${formatText(message, redact)}"`;
}

function readGatewayMessage({ content, text }: Answer): string {
  if (content.kind !== 'json') return text;
  // Some gateways wrap an error in a list.
  const value = Array.isArray(content.value) ? content.value[0] : content.value;
  const messages = messagePointers.map((pointer) => readMember(value, pointer));
  const found = messages.find((message) => typeof message === 'string' && message !== '');
  return typeof found === 'string' ? found : (readValidationMessage(value) ?? text);
}

/**
 * Returns the first problem of a validation error of FastAPI; undefined for any other body. Such an error is
 * `{ "detail": [{ "loc": ["body", "model"], "msg": "Field required" }] }`.
 */
function readValidationMessage(value: unknown): string | undefined {
  const { loc, msg } = toMapping(readMember(value, '/detail/0'));
  return typeof msg === 'string' ? [toList(loc).join('.'), msg].filter(Boolean).join(': ') : undefined;
}

function formatText(text: string, redact: Redact): string {
  return formatOneLine(redact(text, longest + 1), longest);
}
