import type { Catalog } from '../catalog/catalog.ts';
import { remakeCurl } from '../report/curl/remake-curl.ts';
import type { KeyVariables } from '../report/curl/shell-key.ts';
import { saidOnce } from '../report/diagnose.ts';
import type { CaseReport, Observation, Report } from '../report/report.ts';
import { summarize } from '../report/summarize.ts';
import { holdTogether, type NamedReport } from './hold-together.ts';
import { mergeModels } from './merge-models.ts';
import { isPooled, mergePool } from './merge-pool.ts';

/**
 * The report that an undivided run would have given, of those of all its parts; what a baseline made of a part is left
 * out. Throws UsageError where they aren't the parts of one run.
 */
export function mergeReports(named: readonly NamedReport[], tool: Report['tool'], catalog: Catalog): Report {
  const { parts, plan } = holdTogether(named, { tool, spec: { revision: catalog.revision } });
  const [first] = parts;
  const position = new Map(plan.map((id, index) => [id, index]));
  const inOrder = (a: string, b: string): number => (position.get(a) ?? 0) - (position.get(b) ?? 0);
  const models = mergeModels(parts, catalog);
  const places = new Map(models?.items.map(({ id }, index) => [id, index]));
  const ofModels = parts
    .flatMap((part) => part.cases.filter(({ model }) => model !== undefined))
    .map(withoutExpected)
    .sort((a, b) => (places.get(a.model ?? '') ?? 0) - (places.get(b.model ?? '') ?? 0));
  const variables = gatewayVariables(first.target.keyVariables);
  const cases = [...mergeCases(parts, catalog).sort((a, b) => inOrder(a.id, b.id)), ...ofModels].map(
    (item) => ({ ...item, exchanges: item.exchanges.map((exchange) => remakeCurl(exchange, variables)) }),
  );
  const observations = parts
    .flatMap((part) => part.observations)
    .sort((a, b) => rank(a) - rank(b) || (a.kind === 'open-point' ? inOrder(a.case, b.case) : 0));
  const sum = (count: (part: Report) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    ...first,
    startedAt: parts.map((part) => part.startedAt).reduce((a, b) => (a < b ? a : b)),
    // The parts of a run are sent beside each other.
    durationMs: Math.max(...parts.map((part) => part.durationMs)),
    diagnosis: saidOnce(parts.flatMap((part) => part.diagnosis)),
    stopped: stoppedOf(parts),
    shard: null,
    baseline: null,
    requests: {
      requests: sum(({ requests }) => requests.requests),
      billable: sum(({ requests }) => requests.billable),
      badKeys: sum(({ requests }) => requests.badKeys),
      sent: sum(({ requests }) => requests.sent),
      billed: sum(({ requests }) => requests.billed ?? 0),
    },
    ...summarize(catalog, cases, models),
    cases,
    others: parts.flatMap((part) => part.others).map((exchange) => remakeCurl(exchange, variables)),
    observations,
    ...(models && { models }),
  };
}

function mergeCases(parts: readonly Report[], catalog: Catalog): CaseReport[] {
  const all = parts
    .flatMap((part) => part.cases.filter(({ model }) => model === undefined))
    .map(withoutExpected);
  const own = all.filter((item) => !isPooled(item, catalog));
  const exchanges = [...own, ...parts.map(({ others }) => ({ exchanges: others }))].flatMap(
    (item) => item.exchanges,
  );
  const pools = new Map<string, [CaseReport, ...CaseReport[]]>();
  for (const item of all.filter((entry) => isPooled(entry, catalog))) {
    const pool = pools.get(item.id);
    if (pool) pool.push(item);
    else pools.set(item.id, [item]);
  }
  const merged = [...pools.values()].map((pool) => mergePool(pool, exchanges, catalog));
  return [...own, ...merged];
}

function withoutExpected(item: CaseReport): CaseReport {
  return { ...item, obligations: item.obligations.map(({ expected: _, ...rest }) => rest) };
}

/** The variables that a report names and that hold nothing but keys of gateways; a report may come from anybody. */
function gatewayVariables(named: KeyVariables = {}): KeyVariables {
  return Object.fromEntries(Object.entries(named).filter(([, name]) => /^GATEWAY_[A-Z0-9_]+$/.test(name)));
}

function rank({ kind }: Observation): number {
  return kind === 'open-point' ? 0 : 1;
}

function stoppedOf(parts: readonly Report[]): Report['stopped'] {
  const stops = parts.flatMap(({ stopped }) => (stopped ? [stopped] : []));
  return stops.find(({ kind }) => kind === 'interrupted') ?? stops[0] ?? null;
}
