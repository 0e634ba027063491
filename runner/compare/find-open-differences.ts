import { groupBy } from '../../common/lists.ts';
import { placesOf } from '../judge/finding.ts';
import type { AnswerReport, CaseReport, Observation } from '../report/report.ts';
import { compareShapes, shapeOf } from './answer-shape.ts';
import type { AnswerDifference, OpenDifference, TargetReport } from './comparison.ts';

/** Returns the differences that are not violations: in observations, and between conforming responses. */
export function findOpenDifferences(reports: readonly TargetReport[]): OpenDifference[] {
  return [...compareObservations(reports), ...compareAnswers(reports)];
}

const keyOf = ({ kind, case: id, about }: Observation): string => `${kind} ${about} ${id}`;

/**
 * Returns the observations that differ between targets. An observation of the kind `unstable` is also returned if
 * some targets do not have the observation.
 */
function compareObservations(reports: readonly TargetReport[]): OpenDifference[] {
  const seen = reports.map(
    ({ report }) => new Map(report.observations.map((item) => [keyOf(item), item] as const)),
  );
  const keys = new Set(seen.flatMap((own) => [...own.keys()]));
  const found = [...keys].flatMap((key) => {
    const items = seen.map((own) => own.get(key));
    const some = items.find((item) => item !== undefined);
    const values = items.map((item) => item?.seen ?? null);
    const known = values.filter((value) => value !== null);
    const differs = new Set(some?.kind === 'unstable' ? values : known).size > 1;
    return some && differs ? [{ about: some.about, id: some.case, values }] : [];
  });
  return groupBy(found, ({ about, values }) => JSON.stringify([about, values])).flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const { about, values } = first;
    return [{ kind: 'silent' as const, about, place: 'answer', values, where: own.map(({ id }) => id) }];
  });
}

/**
 * Returns the differences between conforming responses of the targets. A target without any conforming case is
 * ignored. Compares the statuses of the responses to one request, and the responses of the same kind. Omits the places
 * of `placesWithPooledFindings`, except `status`.
 */
function compareAnswers(reports: readonly TargetReport[]): OpenDifference[] {
  const conforming = listConformingAnswers(reports);
  const kinds = new Set(conforming.flatMap((own) => own?.map(({ kind }) => kind) ?? []));
  const shapeDifferences = [...kinds].flatMap((kind) => {
    const shapes = conforming.map(
      (own) => own && shapeOf(own.filter((item) => item.kind === kind).map(({ answer }) => answer)),
    );
    // Responses of a kind that some targets never return cannot be compared.
    const comparable = shapes.every((shape) => shape === undefined || shape.size > 0);
    return comparable ? compareShapes(shapes).map((item) => ({ ...item, of: kind })) : [];
  });
  const excluded = placesWithPooledFindings(reports);
  const allowed = [
    ...findStatusDifferences(conforming),
    ...shapeDifferences.filter(({ place }) => !excluded.has(place)),
  ];
  const found = groupBy(allowed, ({ place, values }) => JSON.stringify([place, values]));
  return found.flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const { place, values } = first;
    const where = [...new Set(own.map(({ of }) => of))];
    return [
      { kind: 'answer' as const, about: 'Differences between conforming responses.', place, values, where },
    ];
  });
}

/** Returns the places of findings that pooled cases have in the responses of other cases. */
function placesWithPooledFindings(reports: readonly TargetReport[]): ReadonlySet<string> {
  const found = reports.flatMap(({ report }) =>
    report.cases.flatMap(({ id, checks }) =>
      checks.flatMap(({ findings }) => findings.filter(({ exchange }) => caseOf(exchange) !== id)),
    ),
  );
  return new Set(found.flatMap(({ finding }) => placesOf(finding)));
}

function findStatusDifferences(
  conforming: readonly (readonly ConformingAnswer[] | undefined)[],
): (AnswerDifference & { readonly of: string })[] {
  const statuses = conforming.map(
    (own) => own && new Map(own.map(({ id, answer }) => [id, String(answer.status)] as const)),
  );
  const ids = new Set(statuses.flatMap((own) => [...(own?.keys() ?? [])]));
  return [...ids].flatMap((id) => {
    const values = statuses.map((own) => own?.get(id) ?? null);
    const known = new Set(values.filter((value) => value !== null));
    return known.size > 1 ? [{ place: 'status', values, of: caseOf(id) }] : [];
  });
}

interface ConformingAnswer {
  /** The ID of the exchange, which is the same on all targets. */
  readonly id: string;
  /** The operation, `streamed` for a streamed call, and the status, such as `chat streamed 400`. */
  readonly kind: string;
  readonly answer: AnswerReport;
}

/**
 * Returns, for each target, the responses of the cases that conform on all targets. A target without a conforming
 * case does not limit the cases, and its result is undefined. Excludes bursts, whose responses depend on time.
 */
function listConformingAnswers(
  reports: readonly TargetReport[],
): (readonly ConformingAnswer[] | undefined)[] {
  const conforming = reports.map(
    ({ report }) => new Map(report.cases.filter(isComparable).map((item) => [item.id, item])),
  );
  const usable = conforming.filter(({ size }) => size > 0);
  return conforming.map((own) =>
    own.size === 0
      ? undefined
      : [...own.values()].filter(({ id }) => usable.every((other) => other.has(id))).flatMap(answersOfCase),
  );
}

function isComparable({ outcome, attributes }: CaseReport): boolean {
  return outcome === 'conforms' && (attributes.burst ?? 'false') === 'false';
}

/** Returns the responses to requests of the case itself. The exchanges of a pooled case belong to other cases. */
function answersOfCase(item: CaseReport): ConformingAnswer[] {
  return item.exchanges.flatMap(({ id, attributes, response }) => {
    if (!response || caseOf(id) !== item.id) return [];
    const { operation = 'other', streamed } = attributes;
    const kind = `${operation} ${streamed === 'true' ? 'streamed ' : ''}${response.status}`;
    return [{ id, kind, answer: response }];
  });
}

function caseOf(exchange: string): string {
  return exchange.replace(/[#@].*$/s, '');
}
