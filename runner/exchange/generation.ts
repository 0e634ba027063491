import type { Attributes } from '../catalog/condition.ts';
import { isAboutOneResponse } from '../catalog/expectation.ts';
import { findRequirements, type Requirement } from '../catalog/requirements.ts';

/** A change in one place that turns the valid key into a wrong key. `at` is the index of the character, from 0. */
export type LetterEdit =
  | { readonly kind: 'insert' | 'replace'; readonly at: number; readonly letter: string }
  /** `swap` exchanges the character and the next character. `flip` changes the case of the character. */
  | { readonly kind: 'delete' | 'swap' | 'flip'; readonly at: number };

/**
 * A change that makes a JSON text invalid. `at` is the index, from 0, in the list of places where the change is
 * possible. An index after the end of the list stands for the last place.
 */
export type TextBreak =
  | { readonly kind: 'cut'; readonly at: number }
  /**
   * `insert` adds a bracket or brace outside of strings. `delete` removes a punctuation character outside of strings
   * or, if the text would still be JSON, the last character.
   */
  | { readonly kind: 'insert'; readonly at: number; readonly sign: string }
  | { readonly kind: 'delete'; readonly at: number };

/**
 * The layout of a JSON text. `plain`: without spaces between tokens. `escaped`: like `plain`, with all characters other
 * than printable ASCII escaped. `lines`: with line breaks and indentation.
 */
export type Layout = 'plain' | 'escaped' | 'lines';

/** The parts of a generated request that its attributes do not define. */
export type GeneratedParts =
  /**
   * A valid body with the placeholder `{model}`. For the fault `wrong-type`, `given` is the wrong value of the member
   * that the attribute `place` names; otherwise undefined.
   */
  | { readonly kind: 'body'; readonly body: unknown; readonly given: unknown; readonly layout: Layout }
  | { readonly kind: 'prompt'; readonly body: unknown; readonly layout: Layout }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly body: unknown; readonly broken: TextBreak }
  | { readonly kind: 'model'; readonly id: string }
  /** The values of placeholders, such as `request_id`, in a billing-type request. */
  | { readonly kind: 'parameters'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'key'; readonly edit: LetterEdit }
  /** The name of the header that contains the key, in mixed upper and lower case. */
  | { readonly kind: 'header-name'; readonly name: string };

/** The kinds of generated requests that case IDs contain. */
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

/** The identity of a generated request: number `n`, from 1, of the `count` requests that this seed generates. */
export interface GeneratedNumber {
  readonly seed: number;
  readonly n: number;
  readonly count: number;
  /** For a request of the kind `combination`: the attributes in which the request differs from a usual request. */
  readonly combined?: Attributes | undefined;
}

/**
 * Returns the requirements that apply to a generated request with these attributes: each `must` that a single response
 * can violate.
 */
export function findRequirementsOfGenerated(
  attributes: Attributes,
  requirements: readonly Requirement[],
): Requirement[] {
  return findRequirements(attributes, requirements).filter(
    ({ level, over, then }) => level === 'must' && over === 'case' && isAboutOneResponse(then),
  );
}

export function editKey(key: string, edit: LetterEdit): string {
  const { at } = edit;
  const [before, letter, after] = [key.slice(0, at), key.slice(at, at + 1), key.slice(at + 1)];
  switch (edit.kind) {
    case 'insert':
      return before + edit.letter + letter + after;
    case 'replace':
      return before + edit.letter + after;
    case 'delete':
      return before + after;
    case 'swap':
      return before + after.slice(0, 1) + letter + after.slice(1);
    case 'flip':
      return before + swapCase(letter) + after;
  }
}

export function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
