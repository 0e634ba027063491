import { placesOf } from '../report/findings.ts';
import type { AnswerReport, CaseReport, Observation } from '../report/report.ts';
import { groupBy } from '../text/lists.ts';
import { differencesOf, shapeOf } from './answer-shape.ts';
import type { AnswerDifference, OpenDifference, TargetReport } from './comparison.ts';

/** In what targets differ that none of them is to blame for: what was observed, and how answers look that keep the contract. */
export function findOpenDifferences(reports: readonly TargetReport[]): OpenDifference[] {
  return [...observed(reports), ...answersOf(reports)];
}

const keyOf = ({ kind, case: id, about }: Observation): string => `${kind} ${about} ${id}`;

/** What was seen where the specification is silent, if on several targets; that something recovered is told of one too. */
function observed(reports: readonly TargetReport[]): OpenDifference[] {
  const seen = reports.map(
    ({ report }) => new Map(report.observations.map((item) => [keyOf(item), item] as const)),
  );
  const keys = new Set(seen.flatMap((own) => [...own.keys()]));
  const found = [...keys].flatMap((key) => {
    const items = seen.map((own) => own.get(key));
    const some = items.find((item) => item !== undefined);
    const values = items.map((item) => item?.seen ?? null);
    const told = values.filter((value) => value !== null);
    const differs = new Set(some?.kind === 'unstable' ? values : told).size > 1;
    return some && differs ? [{ about: some.about, id: some.case, values }] : [];
  });
  return groupBy(found, ({ about, values }) => JSON.stringify([about, values])).flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const { about, values } = first;
    return [{ kind: 'silent' as const, about, place: 'answer', values, where: own.map(({ id }) => id) }];
  });
}

/** Where answers look otherwise, of cases in which all targets conform; what each of them ever sent is taken together. */
function answersOf(reports: readonly TargetReport[]): OpenDifference[] {
  const kept = keptByAll(reports);
  const kinds = new Set(kept.flatMap((own) => own?.map(({ kind }) => kind) ?? []));
  const looks = [...kinds].flatMap((kind) => {
    const shapes = kept.map(
      (own) => own && shapeOf(own.filter((item) => item.kind === kind).map(({ answer }) => answer)),
    );
    // What came with another status has no match.
    const comparable = shapes.every((shape) => shape === undefined || shape.size > 0);
    return comparable ? differencesOf(shapes).map((item) => ({ ...item, of: kind })) : [];
  });
  const blamed = blamedInPools(reports);
  const allowed = [...otherStatuses(kept), ...looks.filter(({ place }) => !blamed.has(place))];
  const found = groupBy(allowed, ({ place, values }) => JSON.stringify([place, values]));
  return found.flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const { place, values } = first;
    const where = [...new Set(own.map(({ of }) => of))];
    return [
      { kind: 'answer' as const, about: 'How answers look that keep the contract.', place, values, where },
    ];
  });
}

/** Places at fault in answers whose own cases conform, since a pool judges them. */
function blamedInPools(reports: readonly TargetReport[]): ReadonlySet<string> {
  const found = reports.flatMap(({ report }) =>
    report.cases.flatMap(({ id, obligations }) =>
      obligations.flatMap(({ findings }) => findings.filter(({ exchange }) => caseOf(exchange) !== id)),
    ),
  );
  return new Set(found.flatMap(({ finding }) => placesOf(finding)));
}

/** Requests that may be answered with several statuses, and are. */
function otherStatuses(
  kept: readonly (readonly Kept[] | undefined)[],
): (AnswerDifference & { readonly of: string })[] {
  const statuses = kept.map(
    (own) => own && new Map(own.map(({ id, answer }) => [id, String(answer.status)] as const)),
  );
  const ids = new Set(statuses.flatMap((own) => [...(own?.keys() ?? [])]));
  return [...ids].flatMap((id) => {
    const values = statuses.map((own) => own?.get(id) ?? null);
    const told = new Set(values.filter((value) => value !== null));
    return told.size > 1 ? [{ place: 'status', values, of: caseOf(id) }] : [];
  });
}

/** An answer that keeps the contract. */
interface Kept {
  /** Of its exchange, which is the same on all targets. */
  readonly id: string;
  /** The operation and the status. */
  readonly kind: string;
  readonly answer: AnswerReport;
}

/**
 * The answers of cases that conform on every target on which anything does, but for bursts, whose answers depend on the
 * time; undefined for a target where nothing does.
 */
function keptByAll(reports: readonly TargetReport[]): (readonly Kept[] | undefined)[] {
  const kept = reports.map(
    ({ report }) => new Map(report.cases.filter(isKept).map((item) => [item.id, item])),
  );
  const telling = kept.filter(({ size }) => size > 0);
  return kept.map((own) =>
    own.size === 0
      ? undefined
      : [...own.values()].filter(({ id }) => telling.every((other) => other.has(id))).flatMap(answersOfCase),
  );
}

function isKept({ outcome, facts }: CaseReport): boolean {
  return outcome === 'conforms' && facts.burst !== 'true';
}

/** The answers to what a case itself sent; those of a pool belong to other cases. */
function answersOfCase(item: CaseReport): Kept[] {
  return item.exchanges.flatMap(({ id, facts, response }) => {
    if (!response || caseOf(id) !== item.id) return [];
    const { operation = 'other', streamed } = facts;
    const kind = `${operation} ${streamed === 'true' ? 'streamed ' : ''}${response.status}`;
    return [{ id, kind, answer: response }];
  });
}

function caseOf(exchange: string): string {
  return exchange.replace(/[#@].*$/s, '');
}
