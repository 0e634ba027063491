import { formatSuggestion } from '../../common/nearest.ts';
import type { CatalogData } from '../catalog/catalog.ts';
import type { Condition } from '../catalog/condition.ts';
import { namesIn } from '../catalog/error-names.ts';
import {
  type ErrorKind,
  type ErrorRow,
  type ErrorRows,
  type ErrorSubject,
  errorKinds,
} from '../catalog/errors.ts';
import {
  type Expectation,
  isAboutOneResponse,
  parseExpectation,
  type ResponseLocation,
} from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { StatusSet } from '../catalog/status-set.ts';
import { type StatedDeviation, UsageError } from './profile.ts';

/** A part of the deviations that a run can find to be needed or not: a name, or the expectation of a requirement. */
export interface DeclaredPart {
  /** Such as `types.invalid_api_key`, or the ID of the requirement. */
  readonly id: string;
  readonly about: string;
  readonly reason: string | undefined;
  readonly until: string | undefined;
  readonly place: string;
  /** The IDs of the requirements whose checks show whether the part is needed. */
  readonly requirements: readonly string[];
}

/** An error of the specification for which a name of a gateway stands, and the status with which it does. */
export interface Meaning {
  readonly name: string;
  /** The declared status; undefined for the status of the specification. */
  readonly status: number | undefined;
}

/** The deviations of a gateway. */
export interface Deviations {
  readonly parts: readonly DeclaredPart[];
  /** The errors for which a name of the gateway stands, by this name. */
  readonly readings: { readonly [K in ErrorKind]: ReadonlyMap<string, readonly Meaning[]> };
  /** The names of the gateway for a name of the specification. */
  readonly ownNames: { readonly [K in ErrorKind]: ReadonlyMap<string, readonly string[]> };
  /** What a gateway promises instead, by the ID of the requirement. */
  readonly instead: ReadonlyMap<string, Expectation>;
  /** The IDs of the requirements by the place that is declared absent. */
  readonly absent: ReadonlyMap<ResponseLocation, string>;
}

interface DeviationContext extends Pick<CatalogData, 'schemas' | 'attributes' | 'errors'> {
  readonly requirements: readonly Requirement[];
}

/**
 * Reads the deviations of a profile. Throws a `UsageError` that names the place of a name or a requirement that doesn't
 * exist, or of an expectation that is invalid.
 */
export function readDeviations(stated: readonly StatedDeviation[], catalog: DeviationContext): Deviations {
  const ownNames = {
    types: new Map<string, readonly string[]>(),
    codes: new Map<string, readonly string[]>(),
  };
  const readings = {
    types: new Map<string, readonly Meaning[]>(),
    codes: new Map<string, readonly Meaning[]>(),
  };
  const instead = new Map<string, Expectation>();
  const absent = new Map<ResponseLocation, string>();
  const parts: DeclaredPart[] = [];
  const { requirements } = catalog;
  for (const deviation of stated) {
    const { reason, until, place } = deviation;
    const add = (part: Pick<DeclaredPart, 'id' | 'about' | 'requirements'>): void => {
      if (parts.some(({ id }) => id === part.id))
        throw new UsageError(`${place}: ${part.id} is declared twice. Remove one of the two.`);
      parts.push({ ...part, reason, until, place });
    };
    if ('requirement' in deviation) {
      const { requirement: id } = deviation;
      const requirement = requirements.find((one) => one.id === id);
      if (!requirement) {
        const ids = requirements.map((one) => one.id);
        throw new UsageError(`${place}: no requirement has the ID "${id}".${formatSuggestion(id, ids)}`);
      }
      const expectation = readInstead(deviation.instead, requirement, place, catalog);
      instead.set(id, expectation);
      if (expectation.kind === 'absent') absent.set(expectation.at, id);
      add({ id, about: JSON.stringify(deviation.instead), requirements: [id] });
      continue;
    }
    for (const kind of errorKinds)
      for (const [name, given] of Object.entries(deviation.names[kind] ?? {})) {
        const own = given.map((one) => ({ name, ...(typeof one === 'string' ? { name: one } : one) }));
        const known = [...catalog.errors[kind].keys()];
        if (!known.includes(name))
          throw new UsageError(
            `${place}: "${name}" is not one of the ${kind} of the specification.${formatSuggestion(name, known)}`,
          );
        add({
          id: `${kind}.${name}`,
          about: own.map((one) => (one.status ? `${one.name} with ${one.status}` : one.name)).join(' or '),
          requirements: requirements.filter(({ then }) => expects(then, kind, name)).map((one) => one.id),
        });
        ownNames[kind].set(
          name,
          own.map((one) => one.name),
        );
        for (const one of own) {
          const { status } = one;
          readings[kind].set(one.name, [...(readings[kind].get(one.name) ?? []), { name, status }]);
        }
      }
  }
  // A name that keeps its meaning also stands for itself.
  for (const kind of errorKinds)
    for (const [own, names] of readings[kind])
      if (catalog.errors[kind].has(own) && !ownNames[kind].has(own))
        readings[kind].set(own, [...names, { name: own, status: undefined }]);
  return { parts, readings, ownNames, instead, absent };
}

/** Whether an expectation demands an error, not only any error. */
const expects = (then: Expectation, kind: ErrorKind, name: string): boolean =>
  namesIn(then).some((one) => one.isExpected && one.kind === kind && one.name === name);

function readInstead(
  instead: unknown,
  { id, then }: Requirement,
  place: string,
  { schemas, attributes, errors }: DeviationContext,
): Expectation {
  if (instead !== 'absent') {
    const findSchema = (name: string) => schemas.resolved(name);
    const expectation = parseExpectation(instead, { findSchema, parts: attributes.parts, errors });
    // Of several responses, one must be as expected.
    return then.kind === 'some' && isAboutOneResponse(expectation)
      ? { kind: 'some', of: expectation }
      : expectation;
  }
  if (then.kind !== 'is')
    throw new UsageError(
      `${place}: only a requirement about one member or header can have \`instead: absent\`, and "${id}" is not one. Write the expected response instead, such as \`{ status: 404 }\`.`,
    );
  return { kind: 'absent', at: then.at };
}

/** Returns the names that a gateway has for names of the specification, each once. */
export const ownNamesOf = (
  kind: ErrorKind,
  names: readonly string[],
  { ownNames }: Deviations,
): readonly string[] => [...new Set(names.flatMap((name) => ownNames[kind].get(name) ?? name))];

/** Returns what a gateway promises in place of a requirement; undefined if it is the requirement itself. */
export function promiseOf({ then, instead }: Requirement, deviations: Deviations): Expectation | undefined {
  if (instead) return instead;
  const isOwn = namesIn(then).some(
    ({ kind, name, isExpected }) => isExpected && deviations.ownNames[kind].has(name),
  );
  return isOwn ? renameErrors(then, deviations) : undefined;
}

function renameErrors(then: Expectation, deviations: Deviations): Expectation {
  switch (then.kind) {
    case 'type':
      return { ...then, types: ownNamesOf('types', then.types, deviations) };
    case 'code':
      return { ...then, codes: ownNamesOf('codes', then.codes, deviations) };
    case 'all': {
      const declared = namesIn(then).map((error) => statusesWith(error, deviations));
      const own = declared.flat().map(String);
      const addStatuses = ({ members, negated }: StatusSet): StatusSet => ({
        members: [...new Set([...(declared.every(({ length }) => length > 0) ? [] : members), ...own])],
        negated,
      });
      return {
        ...then,
        of: then.of.map((part) =>
          part.kind === 'status' && own.length > 0
            ? { ...part, status: addStatuses(part.status) }
            : renameErrors(part, deviations),
        ),
      };
    }
    case 'any':
      return { ...then, of: then.of.map((part) => renameErrors(part, deviations)) };
    case 'some':
    case 'none':
      return { ...then, of: renameErrors(then.of, deviations) };
    default:
      return then;
  }
}

/** Returns the statuses that a gateway declares for an error. */
const statusesWith = (
  { kind, name }: { readonly kind: ErrorKind; readonly name: string },
  { ownNames, readings }: Deviations,
): readonly number[] =>
  (ownNames[kind].get(name) ?? []).flatMap((own) =>
    (readings[kind].get(own) ?? []).flatMap((meaning) =>
      meaning.name === name && meaning.status !== undefined ? [meaning.status] : [],
    ),
  );

/**
 * Returns a condition on responses that also holds for the gateway's own types of errors: for a type that stands for
 * several types, only if it holds for each of them.
 */
export function addOwnTypes(when: Condition, { readings }: Deviations): Condition {
  const type = when.answer?.type;
  if (!type || readings.types.size === 0) return when;
  const { values } = type;
  const added = [...readings.types].flatMap(([own, types]) => {
    const isNamed = ({ name }: Meaning): boolean => values.includes(name);
    return (type.negated ? types.some(isNamed) : types.every(isNamed)) ? [own] : [];
  });
  return { ...when, answer: { ...when.answer, type: { ...type, values: [...values, ...added] } } };
}

/**
 * Returns the errors by which responses of the gateway are read: those of the specification, and its own names. A name
 * that stands for several errors says only what all of them say, so that it is no reason to send a request again.
 */
export function addOwnNames(errors: ErrorRows, { readings }: Deviations): ErrorRows {
  const rowsOf = (kind: ErrorKind): ReadonlyMap<string, ErrorRow> => {
    const rows = new Map(errors[kind]);
    for (const [own, names] of readings[kind]) {
      const meant = names.flatMap(({ name }) => errors[kind].get(name) ?? []);
      const [first] = meant;
      if (first) rows.set(own, meant.length === 1 ? { ...first, name: own } : mergeRows(own, meant));
    }
    return rows;
  };
  return { types: rowsOf('types'), codes: rowsOf('codes') };
}

function mergeRows(name: string, rows: readonly ErrorRow[]): ErrorRow {
  const subjects = new Set(rows.map(({ about }) => about));
  const [only] = subjects;
  const about: ErrorSubject = only !== undefined && subjects.size === 1 ? only : 'request';
  const [{ refuses = [] } = {}, ...others] = rows;
  return {
    name,
    status: 400,
    about,
    retry: rows.every(({ retry }) => retry),
    clause: [],
    refuses: refuses.filter((header) => others.every((row) => row.refuses.includes(header))),
    shows: undefined,
  };
}
