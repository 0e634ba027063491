import { groupBy } from '../../common/lists.ts';
import { isOperationId, operationIds } from '../catalog/operations.ts';
import { findWorstOutcome, isFailed, isKept, type Outcome, outcomes } from '../judge/outcome.ts';
import { findMostSevere, type Severity, severities } from '../judge/severity.ts';
import type { CaseReport, CheckReport, Report } from '../report/report.ts';
import { formatRemedy } from './failed-checks.ts';
import { knownLook, type Look, outcomeLooks } from './signs.ts';
import type { Cell, Table } from './table.ts';

/** The outcomes of the calls of SDKs to a gateway: a row for each call, and a column for each available SDK. */
export interface SdkTable {
  readonly sdks: readonly InstalledSdk[];
  readonly rows: readonly SdkRow[];
  /** The reasons to which the numbers in the cells refer, in the order of these numbers. */
  readonly reasons: readonly SdkReason[];
  /** The SDKs that are not available, each with the reason why its calls could not be made. */
  readonly absent: readonly { readonly id: string; readonly reason: string }[];
}

/** An SDK whose packages are installed in supported versions. */
export interface InstalledSdk {
  readonly id: string;
  /** The packages of the SDK with their versions, such as `openai 6.49.0`. */
  readonly packages: readonly string[];
}

export interface SdkRow {
  readonly call: string;
  /** One cell for each available SDK, in the order of the table; undefined if the SDK does not make the call. */
  readonly cells: readonly (SdkCell | undefined)[];
}

/**
 * The outcome of a call by one SDK. The outcome is `known` if the call failed and the baseline expects all failures.
 */
const sdkOutcomes = [...outcomes, 'known'] as const;
export type SdkOutcome = (typeof sdkOutcomes)[number];

export interface SdkCell {
  readonly outcome: SdkOutcome;
  /** The indexes of the reasons in `reasons` of the table. */
  readonly reasons: readonly number[];
  readonly cases: readonly string[];
}

/** A reason why calls failed or could not be tested, with all affected SDKs and calls. */
export interface SdkReason {
  readonly outcome: Exclude<Outcome, 'conforms' | 'deviates'>;
  /** The severity of the failure; undefined if the calls could not be tested. */
  readonly severity: Severity | undefined;
  /** The violated requirements; empty if the calls could not be tested. */
  readonly requirements: readonly string[];
  readonly message: string;
  /**
   * The affected calls. If only some operations of a call are affected, the names of these operations are added:
   * `wrong key (responses)`.
   */
  readonly calls: readonly string[];
  readonly sdks: readonly string[];
  /** The effects on users, such as `AuthenticationError instead of BadRequestError`, each with its SDKs. */
  readonly effects: readonly { readonly text: string; readonly sdks: readonly string[] }[];
  /** The requirements that the responses violate; empty if an SDK causes the failures or no call was tested. */
  readonly violates: readonly string[];
}

interface ClientCall {
  readonly call: string;
  readonly sdk: string;
  readonly operation: string;
  readonly item: CaseReport;
}

/** A failure of a call, or a reason why the call could not be tested. */
interface Occurrence extends Pick<ClientCall, 'call' | 'sdk' | 'operation'> {
  readonly outcome: SdkReason['outcome'];
  readonly message: string;
  readonly requirement: string | undefined;
  readonly severity: Severity | undefined;
  readonly effect: string | undefined;
  readonly violates: readonly string[];
}

/** Returns the table of a report of `conformance clients`; undefined for any other report. */
export function createSdkTable({ cases }: Pick<Report, 'cases'>): SdkTable | undefined {
  const calls = cases.flatMap(readCall);
  if (calls.length === 0) return undefined;
  const bySdk = groupBy(calls, ({ sdk }) => sdk);
  const sdks = bySdk.flatMap(([id, own]): InstalledSdk[] => {
    const packages = own.find(({ item }) => item.attributes.packages !== undefined)?.item.attributes.packages;
    return packages === undefined ? [] : [{ id, packages: packages.split(', ') }];
  });
  const absent = bySdk
    .filter(([id]) => !sdks.some((sdk) => sdk.id === id))
    .map(([id, own]) => ({ id, reason: own[0]?.item.checks[0]?.reason ?? '' }));
  const rows = groupBy(calls, ({ call }) => call)
    .sort(([, [a]], [, [b]]) => rankOf(a) - rankOf(b))
    .map(([call, own]) => ({
      call,
      cells: sdks.map(({ id }) => readCell(own.filter(({ sdk }) => sdk === id))),
    }));
  const found = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.occurrences ?? []));
  const byReason = groupBy(found, keyOf).sort(
    ([, [a]], [, [b]]) => rankOfOutcome(a) - rankOfOutcome(b) || rankOfSeverity(a) - rankOfSeverity(b),
  );
  const keys = byReason.map(([key]) => key);
  return {
    sdks,
    absent,
    rows: rows.map(({ call, cells }) => ({
      call,
      cells: cells.map(
        (cell) =>
          cell && {
            outcome: cell.outcome,
            cases: cell.cases,
            reasons: distinct(cell.occurrences.map((one) => keys.indexOf(keyOf(one)))).sort((a, b) => a - b),
          },
      ),
    })),
    reasons: byReason.flatMap(([, own]) => describeReason(own, calls)),
  };
}

/**
 * Returns the call of a case, such as `chat`, `streamed chat`, `model list` or `wrong key`. Returns an empty list for
 * a case of another suite.
 */
function readCall(item: CaseReport): ClientCall[] {
  const { client: sdk } = item.attributes;
  if (item.suite !== 'clients' || sdk === undefined) return [];
  const [operation = '', act, error = ''] = item.id.split('/').slice(2);
  const call =
    act === 'error' ? error.replaceAll('-', ' ') : act === 'streamed' ? `streamed ${operation}` : operation;
  return [{ call: act === undefined ? 'model list' : call, sdk, operation, item }];
}

/** Returns the rank of a call in the table: valid calls by operation, then the model list, then invalid calls. */
function rankOf(call: ClientCall | undefined): number {
  const [, act] = call?.item.id.split('/').slice(2) ?? [];
  if (act === undefined) return operationIds.length;
  return act === 'error' || !call || !isOperationId(call.operation)
    ? operationIds.length + 1
    : operationIds.indexOf(call.operation);
}

/** Returns the worst outcome of calls of one SDK, with the reasons for this outcome; undefined for an empty list. */
function readCell(
  calls: readonly ClientCall[],
): (Omit<SdkCell, 'reasons'> & { readonly occurrences: readonly Occurrence[] }) | undefined {
  if (calls.length === 0) return undefined;
  const all = findWorstOutcome(calls.map(({ item }) => item.outcome));
  const open = calls.flatMap((call) =>
    call.item.checks.filter(({ expected }) => expected === undefined).map((check) => ({ call, check })),
  );
  const isUnexpected = open.some(({ check }) => isFailed(check.outcome));
  const outcome = isFailed(all) && !isUnexpected ? 'known' : all;
  const isShown = (one: Outcome): boolean => one === outcome || (isFailed(all) && isFailed(one));
  return {
    outcome,
    cases: calls.map(({ item }) => item.id),
    occurrences: open
      .filter(({ check }) => isShown(check.outcome))
      .flatMap(({ call, check }) => occurrencesOf(call, check)),
  };
}

function occurrencesOf(
  { call, sdk, operation }: ClientCall,
  { outcome, requirement, severity, reason, add, findings }: CheckReport,
): Occurrence[] {
  if (isKept(outcome)) return [];
  const common = { call, sdk, operation, outcome, severity };
  if (findings.length === 0) {
    const message = `${reason ?? ''}${formatRemedy(add)}`;
    return [{ ...common, message, requirement: undefined, effect: undefined, violates: [] }];
  }
  return findings.map(({ message, finding }) => {
    const client = finding.kind === 'wrong-attribute' ? finding.client : undefined;
    return { ...common, message, requirement, effect: client?.effect, violates: client?.violates ?? [] };
  });
}

function keyOf({ outcome, message }: Occurrence): string {
  return `${outcome} ${message}`;
}

/** Returns the rank of an occurrence: failures come before calls that could not be tested. */
function rankOfOutcome(found: Occurrence | undefined): number {
  return outcomes.indexOf(found?.outcome ?? 'not-applicable');
}

function rankOfSeverity(found: Occurrence | undefined): number {
  return severities.indexOf(found?.severity ?? 'recommendation');
}

function describeReason(found: readonly Occurrence[], calls: readonly ClientCall[]): SdkReason[] {
  const [first] = found;
  if (!first) return [];
  const sdks = distinct(found.map(({ sdk }) => sdk));
  const effects = groupBy(found, ({ effect }) => effect ?? '').filter(([text]) => text !== '');
  return [
    {
      outcome: first.outcome,
      severity: isFailed(first.outcome)
        ? findMostSevere(found.flatMap(({ severity }) => severity ?? []))
        : undefined,
      requirements: distinct(found.flatMap(({ requirement }) => requirement ?? [])),
      message: first.message,
      calls: groupBy(found, ({ call }) => call).map(([call, own]) => {
        const operations = distinct(own.map(({ operation }) => operation));
        const among = calls.filter((one) => one.call === call && sdks.includes(one.sdk));
        const isAll = operations.length === distinct(among.map(({ operation }) => operation)).length;
        return isAll ? call : `${call} (${operations.join(', ')})`;
      }),
      sdks,
      effects: effects.map(([text, own]) => ({ text, sdks: distinct(own.map(({ sdk }) => sdk)) })),
      violates: distinct(found.flatMap(({ violates }) => violates)),
    },
  ];
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

const sdkLooks: Readonly<Record<SdkOutcome, Look>> = {
  violates: { ...outcomeLooks.violates, word: 'violates a must' },
  warns: { ...outcomeLooks.warns, word: 'violates a should' },
  inconclusive: outcomeLooks.inconclusive,
  deviates: outcomeLooks.deviates,
  conforms: { ...outcomeLooks.conforms, word: 'works' },
  'not-applicable': outcomeLooks['not-applicable'],
  known: { ...knownLook, word: 'fails as the baseline expects' },
};

/** Lays out the calls of the available SDKs, with the numbers of the reasons in the cells. */
export function layOutSdks({ sdks, rows }: SdkTable): Table {
  const used = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.outcome ?? [])));
  return {
    title: 'SDKs',
    corner: 'Call',
    columns: sdks.map(({ id }) => ({ name: id, kind: 'code', align: 'centre' })),
    rows: rows.map(({ call, cells }) => ({
      label: call,
      kind: 'word',
      cells: cells.map((cell, column) =>
        cell ? layOutCell(cell, `${call}, ${sdks[column]?.id}`) : { text: '', says: 'not made by this SDK' },
      ),
    })),
    legend: sdkOutcomes
      .filter((outcome) => used.has(outcome))
      .map((outcome) => ({ ...sdkLooks[outcome], tone: toneOf(outcome) })),
  };
}

function layOutCell({ outcome, reasons, cases }: SdkCell, label: string): Cell {
  const numbers = reasons.map((index) => index + 1);
  const look = sdkLooks[outcome];
  return {
    text: [look.sign, ...numbers].join(' '),
    look,
    tone: toneOf(outcome),
    says: `${look.word}: ${label}`,
    details: numbers.length === 0 ? '' : `, reason ${numbers.join(', ')}`,
    case: cases[0] ?? '',
  };
}

const toneOf = (outcome: SdkOutcome): Outcome => (outcome === 'known' ? 'not-applicable' : outcome);

/** Names SDKs of the table; `every SDK` if these are all. */
export function nameSdks({ sdks }: SdkTable, ids: readonly string[]): string {
  return ids.length === sdks.length && ids.length > 2 ? 'every SDK' : ids.join(', ');
}

/** Names the packages of all SDKs. */
export function listPackages({ sdks }: SdkTable): string[] {
  return distinct(sdks.flatMap(({ packages }) => packages));
}
