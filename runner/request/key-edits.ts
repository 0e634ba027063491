import { fillTemplate } from '../../common/template.ts';
import { attributesOfPackage, type KeyEdit, type KeyKind } from '../catalog/attributes.ts';
import { editKey, swapCase } from '../exchange/generation.ts';

/** The values on which some edits depend besides the valid key. */
export interface EditContext {
  /** The keys of the profile. An edited key differs from them if possible. */
  readonly taken: readonly (string | undefined)[];
  readonly nameSource: NameSource;
}

/** Returns 128 hexadecimal digits, which are equal for equal names, and unpredictable without the seed. */
export type NameSource = (name: string) => string;

/** A word of the vocabulary of edits. `value` is its parameter in `specs/attributes.yaml`. */
interface Edit {
  /** Returns the edited key; undefined if the key is unfit. */
  readonly apply: (key: string, value: string, context: EditContext) => string | undefined;
  /** Returns the reason why this key cannot be edited; undefined if it can. */
  readonly explainUnfit?: (key: string) => string | undefined;
  /**
   * Returns the shell expression, for use inside double quotes, that edits the key in a variable. Absent if the edited
   * key contains the whole valid key, so that reports show what is around it.
   */
  readonly shell?: (variable: string, value: string) => string;
}

const edits: Readonly<Record<KeyEdit['kind'], Edit>> = {
  keep: {
    apply: (key, value) => key.slice(0, value === 'half' ? Math.ceil(key.length / 2) : Number(value)),
    shell: (variable, value) =>
      value === 'half'
        ? formatAwk(variable, 'print substr($0, 1, int((length($0) + 1) / 2))')
        : `\${${variable}%${'?'.repeat(-Number(value))}}`,
  },
  append: {
    apply: (key, value) => key + value,
    shell: (variable, value) => `\${${variable}}${value}`,
  },
  wrap: { apply: (key, value) => fillTemplate(value, () => key) },
  replace: {
    apply(key, value, { taken }) {
      const at = indexOf(key, value);
      const letters = ['7', '3', '5'].filter((letter) => letter !== key[at]);
      const others = letters.map((letter) => editKey(key, { kind: 'replace', at, letter }));
      return others.find((other) => !taken.includes(other)) ?? others[0];
    },
    shell: (variable, value) =>
      formatAwk(
        variable,
        `at = ${formatIndex(value)}; print substr($0, 1, at) (substr($0, at + 1, 1) == "7" ? "3" : "7") substr($0, at + 2)`,
      ),
  },
  swap: {
    apply(key) {
      const middle = Math.floor(key.length / 2);
      const found = key.slice(middle).search(/(.)(?!\1)./s);
      return found < 0 ? undefined : editKey(key, { kind: 'swap', at: middle + found });
    },
    explainUnfit: (key) =>
      /(.)(?!\1)./s.test(key.slice(Math.floor(key.length / 2)))
        ? undefined
        : 'The second half of the valid key has no two different adjacent characters.',
    shell: (variable) =>
      formatAwk(
        variable,
        'n = length($0); m = int(n / 2) + 1; i = m; while (i < n && substr($0, i, 1) == substr($0, i + 1, 1)) i++; if (i == n) i = m; print substr($0, 1, i - 1) substr($0, i + 1, 1) substr($0, i, 1) substr($0, i + 2)',
      ),
  },
  case: {
    apply: (key) => prefixOf(key) + swapCase(withoutPrefix(key)),
    explainUnfit: (key) =>
      /[a-z]/i.test(withoutPrefix(key))
        ? undefined
        : 'The valid key has no letters whose case could be changed.',
    shell: (variable) => `sk-$(printf %s "\${${variable}#sk-}" | tr 'A-Za-z' 'a-zA-Z')`,
  },
  prefix: {
    apply: (key, value) => value + withoutPrefix(key),
    explainUnfit: (key) => (prefixOf(key) === '' ? 'The valid key does not begin with `sk-`.' : undefined),
    shell: (variable, value) => `${value}\${${variable}#sk-}`,
  },
  text: {
    apply: (key, value, { nameSource }) =>
      fillTemplate(value, (_, argument) => {
        const { name, count = Math.max(24, withoutPrefix(key).length) } = readDigits(argument);
        return nameSource(name).repeat(2).slice(0, count);
      }),
    // A key without random digits is no secret, so reports show it as it is.
    shell: (_, value) =>
      fillTemplate(value, (_, argument) => {
        const { count = 40 } = readDigits(argument);
        return count > 60 ? `$(printf '%0${count}d' 0)` : '0'.repeat(count);
      }),
  },
};

/** Returns the valid key after the edit of a kind; undefined if the key is unfit, or if the kind has no edit. */
export function applyEdit({ edit }: KeyKind, key: string, context: EditContext): string | undefined {
  return edit && edits[edit.kind].apply(key, edit.value, context);
}

/** Whether the edited key starts with `sk-`. */
export function startsWithPrefix(kind: KeyKind, key: string): boolean {
  const edited = applyEdit(kind, key, { taken: [], nameSource: () => '0'.repeat(128) });
  return edited?.startsWith('sk-') === true;
}

/** Returns the reason why the valid key has no form of this kind; undefined if it has. */
export function explainUnfitKey(kind: KeyKind | undefined, key: string): string | undefined {
  return kind?.edit && edits[kind.edit.kind].explainUnfit?.(key);
}

/**
 * Whether an edited key is a secret with a role of its own in reports. A text without random digits is no secret. In a
 * text around the whole valid key, reports replace only this key.
 */
export function isSecretKind({ edit }: KeyKind): boolean {
  return edit !== undefined && edit.kind !== 'wrap' && !isPlainText(edit);
}

/** Returns the kind of each text that is a key without random digits, such as `undefined`. */
export function plainTexts(): ReadonlyMap<string, string> {
  const kinds = [...attributesOfPackage().keyKinds];
  return new Map(
    kinds.flatMap(([name, { edit }]) => (edit && isPlainText(edit) ? [[edit.value, name] as const] : [])),
  );
}

function isPlainText({ kind, value }: KeyEdit): boolean {
  return kind === 'text' && !value.includes('{');
}

/**
 * Returns the shell expression, for use inside double quotes, that derives a key from the valid key in a variable;
 * undefined for a kind that is no secret of its own.
 */
export function formatEditInShell(kind: KeyKind | undefined, variable: string): string | undefined {
  if (!kind?.edit || !isSecretKind(kind)) return undefined;
  return edits[kind.edit.kind].shell?.(variable, kind.edit.value);
}

export function formatAwk(variable: string, program: string): string {
  return `$(printf '%s\\n' "$${variable}" | awk '{ ${program} }')`;
}

function indexOf(key: string, place: string): number {
  if (place === 'start') return prefixOf(key).length;
  if (place === 'end') return key.length - 1;
  const [part = 1, parts = 1] = place.split('/').map(Number);
  return Math.floor((key.length * part) / parts);
}

/** Returns the awk expression of `indexOf`. */
function formatIndex(place: string): string {
  if (place === 'start') return 'substr($0, 1, 3) == "sk-" ? 3 : 0';
  return place === 'end' ? 'length($0) - 1' : `int(length($0) * ${place.replace('/', ' / ')})`;
}

/** Reads the argument of `{hex(NAME, COUNT)}`. */
function readDigits(argument: string): { readonly name: string; readonly count: number | undefined } {
  const [name = '', count] = argument.split(', ');
  return { name, count: count === undefined ? undefined : Number(count) };
}

function prefixOf(key: string): string {
  return key.startsWith('sk-') ? 'sk-' : '';
}

function withoutPrefix(key: string): string {
  return key.slice(prefixOf(key).length);
}
