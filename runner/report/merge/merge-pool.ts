import { comparesExchanges } from '../../catalog/expectation.ts';
import type { Requirement } from '../../catalog/requirements.ts';
import { readContent } from '../../exchange/decode.ts';
import type { BodyContent, Exchange, Result } from '../../exchange/exchange.ts';
import { findDecisiveOutcome, findWorstOutcome, isUnstable } from '../../judge/outcome.ts';
import { createPools } from '../../judge/pool.ts';
import { createResults } from '../../judge/results.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { describeFinding } from '../describe-exchange.ts';
import type { Redact } from '../redaction/redact.ts';
import type { CaseReport, CheckReport, ExchangeReport, FindingReport } from '../report.ts';
import { selectExamples } from '../select-examples.ts';

/** Whether a case sends nothing and judges the exchanges of other cases. */
export function isPooled(item: CaseReport, { requirements }: Pick<GatewayPromise, 'requirements'>): boolean {
  const ids = new Set(item.checks.map(({ requirement }) => requirement));
  return requirements.some(({ id, over }) => over !== 'case' && ids.has(id));
}

/** Returns texts unchanged, since the reports of the parts are already redacted. */
const asRedacted: Redact = (text) => text;

/**
 * Merges the parts of a pooled case into the case of an undivided run. Most requirements add up from the parts. A
 * requirement that compares exchanges, such as the one of distinct trace IDs, is judged again by the exchanges of all
 * reports, since two parts that conform can share an ID.
 */
export function mergePool(
  parts: readonly [CaseReport, ...CaseReport[]],
  exchanges: readonly ExchangeReport[],
  promise: GatewayPromise,
): CaseReport {
  const [first] = parts;
  const requirements = new Map(promise.requirements.map((item) => [item.id, item]));
  const checks = first.checks.map(({ requirement: id }) => {
    const own = parts.flatMap((part) => part.checks.filter(({ requirement }) => requirement === id));
    const requirement = requirements.get(id);
    const across =
      requirement && comparesExchanges(requirement.then)
        ? [judgeAcross(requirement, first, exchanges, promise)]
        : [];
    return mergeChecks(id, [...across, ...own], across.length > 0);
  });
  const found = new Set(checks.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const shown = [...exchanges, ...parts.flatMap((part) => part.exchanges)].filter(({ id }) => found.has(id));
  const rounds = first.outcomes?.map((_, round) =>
    findDecisiveOutcome(parts.flatMap(({ outcomes }) => outcomes?.[round] ?? [])),
  );
  const { unstable: _, ...rest } = first;
  return {
    ...rest,
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    ...(rounds && { outcomes: rounds }),
    ...((isUnstable(rounds ?? []) || parts.some(({ unstable }) => unstable)) && { unstable: true }),
    checks,
    exchanges: selectExamples(
      uniqueBy(shown, ({ id, startedAt }) => `${id} ${startedAt}`),
      checks,
    ),
  };
}

function judgeAcross(
  requirement: Requirement,
  { attributes }: CaseReport,
  exchanges: readonly ExchangeReport[],
  promise: GatewayPromise,
): CheckReport {
  const findPool = createPools(exchanges.map(recallExchange), { promise, unlistedModel: '', goodModels: [] });
  const { outcome, findings, severity, reason } = findPool(attributes.operation).judge(requirement);
  return {
    requirement: requirement.id,
    outcome,
    findings: findings.map((item) => describeFinding(item, asRedacted)),
    ...(severity !== undefined && { severity }),
    ...(reason !== undefined && { reason }),
  };
}

function mergeChecks(requirement: string, parts: readonly CheckReport[], compares: boolean): CheckReport {
  const results = createResults<FindingReport>('most-decisive');
  const keyOf = compares
    ? repeatedValueOf
    : ({ exchange, message }: FindingReport) => `${exchange} ${message}`;
  for (const part of parts) results.add(part, (finding) => finding, keyOf);
  return { requirement, ...results.sum() };
}

/**
 * Returns a text that identifies a finding. The text of a finding about a repeated value omits the number of
 * repetitions, which differs between the parts.
 */
function repeatedValueOf({ finding }: FindingReport): string {
  return finding.kind === 'repeats'
    ? `${finding.place} ${JSON.stringify(finding.value)}`
    : JSON.stringify(finding);
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return [...found.values()];
}

/** Converts an exchange of a report to an exchange that can be judged again. The keys stay redacted. */
function recallExchange(shown: ExchangeReport): Exchange {
  const { method, url, headers, body } = shown.request;
  return {
    id: shown.id,
    attributes: shown.attributes,
    model: shown.model,
    request: { method, path: url, headers, body: body?.text },
    result: recallResult(shown),
    startedAt: Date.parse(shown.startedAt),
    durationMs: shown.durationMs,
    earlier: [],
    controlAfter: shown.controlAfter,
  };
}

function recallResult({ response, failure }: ExchangeReport): Result {
  if (!response) return { kind: 'failure', failure: { reason: 'other', detail: failure?.detail ?? '' } };
  const { status, headers, body, pieces } = response;
  const unreadable =
    body.unreadable ?? (body.sha256 === undefined ? undefined : 'only its beginning is in the report');
  const content: BodyContent =
    unreadable === undefined ? readContent(body.text) : { kind: 'unreadable', reason: unreadable };
  return { kind: 'answer', answer: { status, headers, text: body.text, size: body.bytes, content, pieces } };
}
