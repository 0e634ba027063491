import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { findRequirements, type Requirement } from '../catalog/requirements.ts';

/** A change of the valid key in one place, which makes another key of it; `at` counts from its beginning. */
export type KeyEdit =
  | { readonly kind: 'insert' | 'replace'; readonly at: number; readonly letter: string }
  /** `swap` exchanges a letter with its neighbour, `flip` writes it in the other case. */
  | { readonly kind: 'delete' | 'swap' | 'flip'; readonly at: number };

/** A change of a JSON text that makes it none, at the place of that number, or the last. */
export type TextBreak =
  | { readonly kind: 'cut'; readonly at: number }
  /** A bracket too many, or one sign of the syntax too few, outside of all strings. */
  | { readonly kind: 'insert'; readonly at: number; readonly sign: string }
  | { readonly kind: 'delete'; readonly at: number };

/** How a valid JSON text is written: as short as can be, with all beyond ASCII escaped, or in lines. */
export type Layout = 'plain' | 'escaped' | 'lines';

/** What of a request was drawn at random, in the place of what its attributes alone would make. */
export type GeneratedParts =
  /** A valid body, `{model}` to be filled in, and what is given at the place of its fault. */
  | { readonly kind: 'body'; readonly body: unknown; readonly given: unknown; readonly layout: Layout }
  | { readonly kind: 'prompt'; readonly body: unknown; readonly layout: Layout }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly body: unknown; readonly broken: TextBreak }
  | { readonly kind: 'model'; readonly id: string }
  /** Placeholders of a billing-type request. */
  | { readonly kind: 'parameters'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'key'; readonly edit: KeyEdit }
  /** The name of the header with the credential, in other letters. */
  | { readonly kind: 'header-name'; readonly name: string };

/** What is drawn, as the ids of cases name it. */
export const generatedKinds = [
  'body',
  'malformed',
  'value',
  'model',
  'record',
  'range',
  'prompt',
  'header-name',
  'key',
] as const;
export type GeneratedKind = (typeof generatedKinds)[number];

/** Which of the drawn requests one is: the `n`-th of `count`, of a seed. */
export interface GeneratedNumber {
  readonly seed: number;
  readonly n: number;
  readonly count: number;
}

/** The requirements that a generated request with these attributes is checked against: each `must` on a single response. */
export function findRequirementsOfGenerated(
  attributes: Attributes,
  requirements: readonly Requirement[],
): Requirement[] {
  return findRequirements(attributes, requirements).filter(
    ({ level, over, then }) => level === 'must' && over === 'case' && isAboutOneResponse(then),
  );
}
