import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { findRequirements, type Requirement } from '../catalog/requirements.ts';

/** A change of the valid key in one place, which creates a wrong key; `at` is the index of the letter. */
export type KeyEdit =
  | { readonly kind: 'insert' | 'replace'; readonly at: number; readonly letter: string }
  /** `swap` exchanges a letter with its neighbour, `flip` writes it in the other case. */
  | { readonly kind: 'delete' | 'swap' | 'flip'; readonly at: number };

/**
 * A change of a JSON text that makes it invalid. `at` is the number of the place; a number greater than that of
 * the last place means the last place.
 */
export type TextBreak =
  | { readonly kind: 'cut'; readonly at: number }
  /** `insert` adds a bracket, `delete` removes a sign of the syntax, both outside of strings. */
  | { readonly kind: 'insert'; readonly at: number; readonly sign: string }
  | { readonly kind: 'delete'; readonly at: number };

/** How a valid JSON text is written: without spaces, with all characters beyond ASCII escaped, or in lines. */
export type Layout = 'plain' | 'escaped' | 'lines';

/** The parts of a request that were generated instead of built from its attributes. */
export type GeneratedParts =
  /** A valid body with the placeholder `{model}`, and the value to send at the place of its fault. */
  | { readonly kind: 'body'; readonly body: unknown; readonly given: unknown; readonly layout: Layout }
  | { readonly kind: 'prompt'; readonly body: unknown; readonly layout: Layout }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly body: unknown; readonly broken: TextBreak }
  | { readonly kind: 'model'; readonly id: string }
  /** Placeholders of a billing-type request. */
  | { readonly kind: 'parameters'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'key'; readonly edit: KeyEdit }
  /** The name of the header with the credential, in other upper and lower case. */
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
