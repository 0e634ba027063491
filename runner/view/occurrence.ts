import { formatList, groupBy } from '../../common/lists.ts';
import { attributesOfPackage, listPlacesIn } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isKept } from '../judge/outcome.ts';
import type { FailureKind } from '../judge/severity.ts';
import { subjectOf } from '../judge/subject.ts';
import type { CaseReport, ExchangeReport } from '../report/report.ts';
import type { FailedResponse } from './failures.ts';
import { phraseOfValue } from './value-words.ts';

/** The values of one attribute that the failed requests have, and that conforming requests do not have. */
export interface Distinction {
  readonly attribute: string;
  /** A phrase, such as ``with the key in `x-api-key` ``. */
  readonly text: string;
  /**
   * The same phrase for the conforming requests that differ from failed ones in this attribute alone; undefined if no
   * such request was sent, so that the attribute may have nothing to do with the failure.
   */
  readonly conforming: string | undefined;
}

/** Which requests fail, compared with the conforming requests to which the same requirements apply. */
export interface Occurrence {
  /**
   * The shortest conjunction that all failed requests satisfy, in the order of the sentence; only its strongest part if
   * it has too many values.
   */
  readonly distinctions: readonly Distinction[];
  /**
   * Whether no conforming request satisfies the distinctions. If false, requests that look the same are answered
   * differently, for example by different nodes.
   */
  readonly isSharp: boolean;
}

interface Axis {
  readonly attribute: string;
  readonly phrase: (values: readonly string[]) => string;
  /** Whether the value `none` says nothing by itself: the attribute describes a part that the request lacks. */
  readonly isDetail?: boolean;
}

const joined =
  (prefix: string, words: (value: string) => string = (value) => value, last: 'and' | 'or' = 'or') =>
  (values: readonly string[]): string => {
    // Several values can have one phrase, such as the large body of each operation.
    const all = [...new Set(values.map(words))];
    if (all.length === 0) return '';
    const shown = all.slice(0, mostValues);
    const rest = all.length - shown.length;
    return prefix + formatList(rest > 0 ? [...shown, `${rest} more`] : shown, rest > 0 ? 'and' : last);
  };

const valuesAxis = (attribute: string, { isDetail = false }: { readonly isDetail?: boolean } = {}): Axis => ({
  attribute,
  isDetail,
  phrase: joined('', (value) => phraseOfValue(attribute, value)),
});

/** The maximum numbers of values that a phrase about failed and about conforming requests names. */
const [mostValues, mostContrasts] = [4, 2];

/** What can distinguish requests, the most obvious first. */
const axes: readonly Axis[] = [
  {
    attribute: 'operation',
    phrase: (values) =>
      joined('on ', (value) => `\`${value}\``, 'and')(values.filter((value) => value !== 'none')),
  },
  {
    attribute: 'key',
    phrase: joined('with ', (value) => attributesOfPackage().keyKinds.get(value)?.says ?? value),
  },
  {
    attribute: 'header',
    phrase: (values) => {
      const places = values.filter((value) => value !== 'none');
      const placed = joined(
        'with the key ',
        (value) => attributesOfPackage().places.get(value)?.says ?? value,
      )(places);
      const absent = places.length < values.length ? 'without a key' : '';
      return formatList(
        [absent, placed].filter((phrase) => phrase !== ''),
        'or',
      );
    },
  },
  valuesAxis('streamed'),
  valuesAxis('model'),
  valuesAxis('fault'),
  valuesAxis('given', { isDetail: true }),
  { attribute: 'place', isDetail: true, phrase: joined('at ', (value) => `\`${value}\``) },
  valuesAxis('body', { isDetail: true }),
  valuesAxis('record', { isDetail: true }),
  valuesAxis('range', { isDetail: true }),
  valuesAxis('accept'),
  valuesAxis('added'),
  valuesAxis('transfer'),
  { attribute: 'version', phrase: joined('with the version header ') },
  { attribute: 'contentType', phrase: joined('with the content type ') },
  { attribute: 'method', phrase: joined('with ') },
  { attribute: 'lifecycle', isDetail: true, phrase: joined('after the change ') },
  valuesAxis('overlapping'),
  valuesAxis('repeated'),
];

/** The maximum number of distinctions. */
const longest = 3;

/** The maximum number of values in so many distinctions. More of them are a mixture of causes. */
const mostMixed = 8;

/**
 * Returns the shortest conjunction of values that separates the failed requests from the conforming ones. These are the
 * cases of `judged`, to which the same requirements apply. If the failure is that the request is served or rejected,
 * they are also all other cases of `all` with the same subject: every operation and header treats such a request alike.
 */
export function findOccurrence(
  failures: readonly FailedResponse[],
  judged: readonly CaseReport[],
  all: readonly CaseReport[],
): Occurrence {
  if (failures.every(({ exchange }) => exchange === '')) return { distinctions: [], isSharp: true };
  const failed = failures.map(({ attributes, evidence }) => describe(attributes, evidence));
  const bad = new Set(failures.map(({ item }) => item.id));
  const own = new Set(failures.map(({ requirement }) => requirement.id));
  const subjects = new Set(failures.map(({ subject }) => subject));
  const alike = failures.every(({ kind }) => generalKinds.includes(kind))
    ? all.filter(({ outcome, attributes }) => isKept(outcome) && subjects.has(subjectOf(attributes)))
    : [];
  const fine = judged.filter(
    ({ id, outcome, checks }) => !bad.has(id) && outcome !== 'violates' && checks.every(isFine(own)),
  );
  // An invalid request may be refused for another reason, so that it is no contrast to a valid one.
  const isValid = failures.every(({ attributes }) => attributes.request === 'valid');
  const conforming = [...new Set([...fine, ...alike])]
    .filter(({ attributes }) => !isValid || attributes.request !== 'invalid')
    .map(({ attributes, exchanges }) => describe(attributes, exchanges.at(-1)));
  const valuesOf = (attribute: string): string[] => [
    ...new Set(failed.map((attributes) => valueIn(attributes, attribute))),
  ];
  const isStreamed = failed.every(
    ({ streamed, operation }) => streamed === 'true' && operation !== 'streamGenerate',
  );
  const given = failures.every(({ kind }) => kind === 'unauthorized-access') ? implied : [];
  const candidates = axes.flatMap(({ attribute, phrase, isDetail = false }): Candidate[] => {
    if (given.includes(attribute) || (attribute === 'key' && isAboutPlace(failures))) return [];
    const values = valuesOf(attribute);
    const left = new Set(conforming.filter((one) => values.includes(valueIn(one, attribute))));
    return left.size < conforming.length && !(isDetail && values.includes('none'))
      ? [{ attribute, phrase, isDetail, values, left }]
      : [];
  });
  const [first] = axes;
  const chosen =
    first && conforming.length === 0
      ? [withoutContrast(first, valuesOf(first.attribute))]
      : choose(candidates, conforming.length);
  const remaining = conforming.filter((one) => chosen.every(({ left }) => left.has(one)));
  const withStreamed =
    isStreamed && !chosen.some(({ attribute }) => attribute === 'streamed')
      ? [{ attribute: 'streamed', text: phraseOfValue('streamed', 'true'), conforming: undefined }]
      : [];
  const distinctions = withoutMixture(chosen, remaining.length === 0).map(
    ({ attribute, phrase, values, isDetail }) => {
      const others = neighboursOf(attribute, failed, conforming).filter(
        (value) => !isDetail || value !== 'none',
      );
      return {
        attribute,
        text: phrase(values),
        conforming: others.length > 0 ? phrase(others.slice(0, mostContrasts)) : undefined,
      };
    },
  );
  return {
    distinctions: [...distinctions, ...withStreamed].filter(({ text }) => text !== ''),
    isSharp: remaining.length === 0,
  };
}

const generalKinds: readonly FailureKind[] = ['unauthorized-access', 'valid-request-fails', 'server-error'];

/** The attributes of the valid rest of a request whose credential should have been refused. */
const implied: readonly string[] = ['model', 'fault', 'given', 'place'];

/** Whether the requests should have been refused because of where their key is, whatever key it is. */
function isAboutPlace(failures: readonly FailedResponse[]): boolean {
  return failures.every(
    ({ kind, subject }) => kind === 'unauthorized-access' && placeSubjects.includes(subject),
  );
}

const placeSubjects: readonly string[] = ['misplaced-key', 'malformed-credential', 'no-credential'];

const withoutContrast = (axis: Axis, values: readonly string[]): Candidate => ({
  ...axis,
  values,
  left: new Set(),
});

interface Candidate extends Axis {
  /** The values of the failed requests. */
  readonly values: readonly string[];
  /** The conforming requests with one of these values. */
  readonly left: ReadonlySet<Attributes>;
}

const isFine =
  (requirements: ReadonlySet<string>) =>
  ({ requirement, outcome }: CaseReport['checks'][number]): boolean =>
    !requirements.has(requirement) || isKept(outcome) || outcome === 'not-applicable';

/**
 * Returns the fewest candidates that together exclude all conforming requests or, if none do, the most. The first two
 * are the best pair, and each further one is the best addition.
 */
function choose(candidates: readonly Candidate[], total: number): readonly Candidate[] {
  const singles = candidates.map((one): Choice => ({ chosen: [one], left: one.left }));
  const pairs = singles.flatMap((one, index) => candidates.slice(index + 1).map((other) => add(one, other)));
  const nothing: Choice = { chosen: [], left: undefined };
  let found = best([nothing, ...singles], total);
  if (sizeOf(found, total) > 0) found = best([found, ...pairs], total);
  while (sizeOf(found, total) > 0 && found.chosen.length < longest) {
    const longer = best([found, ...candidates.map((one) => add(found, one))], total);
    if (longer === found) break;
    found = longer;
  }
  return found.chosen;
}

/**
 * Returns only the strongest distinction of those that together name too many values to be read; none if even all of
 * them don't separate the failed requests.
 */
function withoutMixture(chosen: readonly Candidate[], isSharp: boolean): readonly Candidate[] {
  const several = chosen.filter(({ values }) => values.length > 1);
  const named = chosen.reduce((sum, { values }) => sum + values.length, 0);
  if (chosen.length < longest || several.length < 2 || named <= mostMixed) return chosen;
  if (!isSharp) return [];
  return [chosen.reduce((one, other) => (other.left.size < one.left.size ? other : one))];
}

interface Choice {
  readonly chosen: readonly Candidate[];
  /** The conforming requests that are not excluded; undefined for all. */
  readonly left: ReadonlySet<Attributes> | undefined;
}

function add({ chosen, left }: Choice, other: Candidate): Choice {
  const rest = left ? new Set([...left].filter((one) => other.left.has(one))) : other.left;
  return { chosen: [...chosen, other], left: rest };
}

const sizeOf = ({ left }: Choice, total: number): number => left?.size ?? total;

/** Returns the first of the choices that exclude the most. */
function best(choices: readonly [Choice, ...Choice[]], total: number): Choice {
  return choices.reduce((one, other) => (sizeOf(other, total) < sizeOf(one, total) ? other : one));
}

/** Returns the values of an attribute in conforming requests that differ from a failed one in this attribute alone. */
function neighboursOf(
  attribute: string,
  failed: readonly Attributes[],
  conforming: readonly Attributes[],
): string[] {
  const rest = (one: Attributes): string =>
    axes.map((axis) => (axis.attribute === attribute ? '' : valueIn(one, axis.attribute))).join('\n');
  const seen = new Set(failed.map(rest));
  const values = new Set(failed.map((one) => valueIn(one, attribute)));
  const near = conforming.filter((one) => seen.has(rest(one)) && !values.has(valueIn(one, attribute)));
  return groupBy(near, (one) => valueIn(one, attribute))
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
}

const valueIn = (attributes: Attributes, name: string): string => attributes[name] ?? 'none';

/** Returns the attributes, with the header that the request really has in place of `any`. */
function describe(attributes: Attributes, exchange: ExchangeReport | undefined): Attributes {
  if (attributes.header !== 'any' || !exchange) return attributes;
  const { headers } = exchange.request;
  const sent = listPlacesIn('headers').find(({ name }) => headers[name] !== undefined);
  return sent ? { ...attributes, header: sent.place } : attributes;
}

/**
 * Formats an occurrence: `only on chat, only streamed`. `only` stands where a conforming request shows it. `fails` says
 * that a failed request fails each time, so that what distinguishes it is only not known.
 */
export function formatOccurrence(
  { distinctions, isSharp }: Occurrence,
  { fails = false }: { readonly fails?: boolean } = {},
): string {
  const parts = distinctions.map(({ text, conforming }) =>
    conforming === undefined ? text : `only ${text}`,
  );
  return [...parts, ...(isSharp || fails || distinctions.length === 0 ? [] : ['but not always'])].join(', ');
}

/**
 * Formats the conforming requests next to the failed ones: `with the key in `Authorization``; empty if there are none.
 */
export function formatConforming({ distinctions }: Occurrence): string {
  const known = distinctions.flatMap(({ conforming }) => conforming ?? []);
  return known.length > 0 ? `the same request ${formatList(known, 'or')}` : '';
}
