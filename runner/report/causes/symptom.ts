import type { Finding } from '../../judge/finding.ts';
import { placeOf, type Telling } from '../places.ts';
import { placeName, schemaProblem, showValue, wordFinding } from '../wording.ts';

/** What was wrong with an answer, apart from which requirement it broke. */
export interface Symptom {
  /** The same for answers that are wrong in the same way. */
  readonly key: string;
  /** What was expected, and what came. */
  readonly message: string;
  /** What came, where requirements differ in what they would have had instead. */
  readonly seen: string;
  /** Where in the answer it was seen: JSON pointers, `status`, `body`, or `header NAME`. */
  readonly places: readonly string[];
  /** The wrong status and what was expected instead, if the status is wrong. */
  readonly status?: { readonly expected: string; readonly actual: number };
}

interface Trait {
  /** What makes two findings of a kind the same; values that are others in each answer are left out. */
  readonly same: string;
  readonly seen?: string;
}

type Traits = { readonly [K in Telling['kind']]: (finding: Extract<Telling, { kind: K }>) => Trait };

const traits: Traits = {
  // Of several statuses that are right, the first is the plain one: a stream may also bring an error after a 2xx.
  'wrong-status': ({ expected, actual }) => ({ same: `${plainStatus(expected)} ${actual}` }),
  'wrong-type': ({ actual }) => ofMember('error.type', actual),
  'wrong-code': ({ actual }) => ofMember('error.code', actual),
  'not-json': () => ({ same: '', seen: 'the body is not JSON' }),
  missing: ({ place }) => ({ same: place }),
  'wrong-value': ({ place, expected }) => ({
    same: `${place} ${expected}`,
    seen: `${placeName(place)} ${expected}`,
  }),
  'breaks-schema': ({ schema, place, problem }) => ({
    same: `${schema} ${place} ${problem}`,
    seen: schemaProblem(place, problem),
  }),
  'not-equal': ({ place, other }) => ({
    same: `${place} ${other}`,
    seen: `${placeName(place)} is not the same as ${placeName(other)}`,
  }),
  'wrong-media-type': ({ expected, actual }) => ({ same: `${expected} ${actual}` }),
  'names-nothing': () => ({ same: '', seen: 'the message does not name what is at fault' }),
  'model-not-listed': () => ({ same: '' }),
  'model-listed': () => ({ same: '' }),
  'one-part': () => ({ same: '' }),
  'no-error-event': () => ({ same: '' }),
  'wrong-path': ({ pattern }) => ({ same: pattern, seen: `the path is not like ${pattern}` }),
  'wrong-fact': ({ fact, expected, actual }) => ({ same: `${fact} ${expected} ${actual}` }),
  'never-happened': ({ wanted }) => ({ same: wanted }),
  happened: ({ unwanted, actual }) => ({ same: `${unwanted} ${actual}` }),
  differs: ({ place }) => ({ same: place }),
  repeats: ({ place }) => ({ same: place }),
};

/** The symptom of the findings of one response. If the status is wrong, it is the only one: the rest follows from it. */
export function symptomOf(findings: readonly Finding[]): Symptom {
  const simple = simpleFindings(findings);
  const [first] = simple;
  const told = new Map(
    simple.map((finding) => {
      const { same, seen } = traitOf(finding, finding.kind);
      const message = wordFinding(finding);
      return [`${finding.kind} ${same}`, { message, seen: seen ?? message, place: placeOf(finding) }];
    }),
  );
  const all = [...told.values()];
  return {
    key: [...told.keys()].join('; '),
    message: joined(all.map(({ message }) => message)),
    seen: joined(all.map(({ seen }) => seen)),
    places: [...new Set(all.flatMap(({ place }) => place ?? []))],
    ...statusIn(first),
  };
}

function statusIn(finding: Telling | undefined): Pick<Symptom, 'status'> {
  if (finding?.kind === 'wrong-status') return { status: finding };
  if (finding?.kind !== 'happened') return {};
  return { status: { expected: `any status but ${finding.unwanted}`, actual: finding.actual } };
}

/**
 * The findings that explain why a response is wrong: only the wrong status if there is one, since the rest follows from
 * it. If several responses would be right, the findings for the one that differs least.
 */
export function simpleFindings(findings: readonly Finding[]): readonly Telling[] {
  const flat = findings.flatMap((finding) =>
    finding.kind === 'none-of-several' ? nearest(finding.alternatives) : [finding],
  );
  const status = flat.find(({ kind }) => kind === 'wrong-status' || kind === 'happened');
  return status ? [status] : flat;
}

/** The findings for the right response that differs least; a wrong status differs more than anything else. */
function nearest(alternatives: readonly (readonly Finding[])[]): readonly Telling[] {
  const told = alternatives.map(simpleFindings);
  const statuses = told.flatMap(([first]) => (first?.kind === 'wrong-status' ? [first] : []));
  const [status] = statuses;
  if (status && statuses.length === told.length) {
    return [{ ...status, expected: [...new Set(statuses.map(({ expected }) => expected))].join(' or ') }];
  }
  return told
    .filter(([first]) => first?.kind !== 'wrong-status')
    .reduce((best, next) => (next.length < best.length ? next : best));
}

function traitOf<K extends Telling['kind']>(finding: Extract<Telling, { kind: K }>, kind: K): Trait {
  return traits[kind](finding);
}

function ofMember(name: string, actual: unknown): Trait {
  const shown = showValue(actual);
  return { same: shown, seen: `${name} is ${shown}` };
}

/** The first of several statuses that are right. */
export function plainStatus(expected: string): string {
  return expected.split(' or ')[0] ?? expected;
}

function joined(parts: readonly string[]): string {
  return [...new Set(parts)].join('; ');
}
