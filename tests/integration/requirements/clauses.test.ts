import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { createFullPlan } from '../../support/full-plan.ts';
import { fragmentsOf, listPieces, type Piece, sectionOf } from './read-specification.ts';

/** The text of the specification, which is not part of this repository. */
const specification = process.env.SPECIFICATION ?? join(packageRoot, '..', 'shared', 'spec.md');

let clauses: ReadonlyMap<string, string>;
let named: ReadonlySet<string>;
beforeAll(async () => {
  const { promise } = await createFullPlan();
  ({ clauses } = await catalogOfPackage());
  named = new Set([...promise.requirements, ...promise.uncheckedClauses].flatMap(({ clause }) => clause));
});

test('each clause has a requirement, or a reason why it is not checked', () => {
  expect([...clauses.keys()].filter((name) => !named.has(name))).toEqual([]);
});

describe.skipIf(!existsSync(specification))('in the text of the specification', () => {
  let pieces: readonly Piece[];
  beforeAll(() => {
    pieces = listPieces(readFileSync(specification, 'utf8'));
    expect(pieces.length).toBeGreaterThan(100);
  });

  test('each clause quotes its own section', () => {
    const wrong = [...clauses].flatMap(([name, quotation]) => {
      const section = pieces.filter((piece) => piece.section === sectionOf(name));
      return fragmentsOf(quotation)
        .filter((fragment) => !section.some(({ text }) => text.includes(fragment)))
        .map((fragment) => `${name}: ${fragment}`);
    });
    expect(wrong).toEqual([]);
  });

  test('each row, rule, item and sentence is quoted by a clause', () => {
    const quoted = [...clauses].map(
      ([name, quotation]) => [sectionOf(name), fragmentsOf(quotation)] as const,
    );
    const silent = pieces.filter(
      ({ kind, section, text }) =>
        kind === 'statement' &&
        !quoted.some(([own, fragments]) => own === section && fragments.some((part) => text.includes(part))),
    );
    expect(silent.map(({ section, text }) => `${section}: ${text}`)).toEqual([]);
  });
});
