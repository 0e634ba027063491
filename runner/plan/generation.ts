import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { findRequirements, type Requirement } from '../catalog/requirements.ts';

/** A change of one character of the valid key, which creates a wrong key. `at` is the index of the character, from 0. */
export type KeyEdit =
  | { readonly kind: 'insert' | 'replace'; readonly at: number; readonly letter: string }
  /** `swap` exchanges the character with the next one. `flip` changes its case. */
  | { readonly kind: 'delete' | 'swap' | 'flip'; readonly at: number };

/**
 * A change that makes a JSON text invalid. `at` is the number of the place to change, from 0. A number after the last place
 * stands for the last place.
 */
export type TextBreak =
  | { readonly kind: 'cut'; readonly at: number }
  /** `insert` adds a bracket or brace outside of strings. `delete` removes a punctuation character outside of strings. */
  | { readonly kind: 'insert'; readonly at: number; readonly sign: string }
  | { readonly kind: 'delete'; readonly at: number };

/**
 * The layout of a JSON text: without spaces, without spaces and with all non-ASCII characters escaped, or with line breaks.
 */
export type Layout = 'plain' | 'escaped' | 'lines';

/** The parts of a request that are generated instead of being built from its attributes. */
export type GeneratedParts =
  /** A valid body with the placeholder `{model}`, and the value to send at the place of its fault. */
  | { readonly kind: 'body'; readonly body: unknown; readonly given: unknown; readonly layout: Layout }
  | { readonly kind: 'prompt'; readonly body: unknown; readonly layout: Layout }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly body: unknown; readonly broken: TextBreak }
  | { readonly kind: 'model'; readonly id: string }
  /** The values of placeholders in a billing-type request. */
  | { readonly kind: 'parameters'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'key'; readonly edit: KeyEdit }
  /** The name of the header with the key, in mixed upper and lower case. */
  | { readonly kind: 'header-name'; readonly name: string };

/** The kinds of generated requests, as the IDs of cases name them. */
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
  'combination',
] as const;
export type GeneratedKind = (typeof generatedKinds)[number];

/** The number of a generated request: the `n`-th of `count` with this seed. */
export interface GeneratedNumber {
  readonly seed: number;
  readonly n: number;
  readonly count: number;
  /** The attributes in which a combination differs from a usual request of its operation. */
  readonly combined?: Attributes | undefined;
}

/** Finds the requirements that apply to a generated request with these attributes: each `must` on a single response. */
export function findRequirementsOfGenerated(
  attributes: Attributes,
  requirements: readonly Requirement[],
): Requirement[] {
  return findRequirements(attributes, requirements).filter(
    ({ level, over, then }) => level === 'must' && over === 'case' && isAboutOneResponse(then),
  );
}
