import { findNearestName } from '../../common/nearest.ts';
import { factNames } from './facts.ts';
import type { Change, Distinction, Note, Noted, Rule } from './rule.ts';

/** A name that is probably mistyped. */
export type Mistyped = {
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly meant: string;
};

type Place = Mistyped['path'];
type Named = { readonly path: Place; readonly name: string };

/** Names of headers that are similar to facts. */
const similarHeaders: readonly string[] = ['date', 'te'];

/**
 * Returns the first name in `by` that is no fact but similar to one, or the first name in `noted` that no rule notes but
 * that is similar to a noted one; undefined if no name is. Any other name may be a header, or may be noted by a rule
 * that is added later.
 */
export function findMistyped(rules: readonly Rule[]): Mistyped | undefined {
  const matches = rules.flatMap(({ match }, index) => (match ? [{ match, path: [index, 'match'] }] : []));
  const changes = rules.flatMap(({ change }, index) => listChanges(change, [index, 'change']));
  const noted = matches.flatMap(({ match, path }) => listNotes(match.noted, [...path, 'noted']));
  const notes = changes.flatMap(({ change, path }) => listNotes(change.note, [...path, 'note']));
  const forgotten = changes.flatMap(({ change, path }) => listNotes(change.forget, [...path, 'forget']));
  const facts = [
    ...matches.flatMap(({ match, path }) => listFacts(match.by, path)),
    ...[...noted, ...notes, ...forgotten].flatMap(({ by, path }) => listFacts(by, path)),
  ];
  return (
    findSimilar(facts, factNames, similarHeaders) ??
    findSimilar(
      [...noted, ...forgotten],
      notes.map(({ name }) => name),
    )
  );
}

function listChanges(
  change: Rule['change'],
  path: Place,
): { readonly change: Change; readonly path: Place }[] {
  return isList(change)
    ? change.map((one, index) => ({ change: one, path: [...path, index] }))
    : [{ change, path }];
}

const isList = (change: Rule['change']): change is readonly Change[] => Array.isArray(change);

function listNotes(
  note: Note | Noted | undefined,
  path: Place,
): (Named & { readonly by: readonly Distinction[] })[] {
  if (note === undefined) return [];
  if (typeof note === 'string') return [{ path, name: note, by: [] }];
  return [{ path, name: note.name, by: note.by ?? [] }];
}

function listFacts(by: readonly Distinction[] = [], path: Place): Named[] {
  return by.map((name, index) => ({ path: [...path, 'by', index], name }));
}

function findSimilar(
  named: readonly Named[],
  known: readonly string[],
  others: readonly string[] = [],
): Mistyped | undefined {
  for (const { path, name } of named) {
    const meant = findNearestName(name, known);
    if (meant !== undefined && !known.includes(name) && !others.includes(name.toLowerCase()))
      return { path, name, meant };
  }
  return undefined;
}
