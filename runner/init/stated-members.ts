import { knownDataFile } from '../catalog/data-file.ts';
import { mapping } from '../catalog/mapping.ts';
import { expandVariables, variablesIn } from '../profile/expand.ts';

/** A member that a profile states. */
export interface StatedMember {
  /** Where it stands: `['models', 'chat', 'good']`. */
  readonly path: readonly string[];
  /** As it is written, with its variables. */
  readonly value: unknown;
  /** With its variables replaced; undefined where one is not set. */
  readonly expanded: unknown;
}

/** How deep the members of a group stand; 2 of any other. */
const depths: Readonly<Record<string, number>> = { models: 3, rateLimit: 1 };

/** The members of a profile one by one, in their order; a model alone is the good one of its operation. */
export function statedMembers(
  profile: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): StatedMember[] {
  return Object.entries(profile).flatMap(([group, value]) =>
    membersBelow([group], value, depths[group] ?? 2).map((member) => ({
      ...member,
      expanded: expandVariables(
        knownDataFile('profile', member.value, () => ''),
        { environment, allowed: variablesIn(JSON.stringify(member.value) ?? '') },
        new Set(),
      ).value,
    })),
  );
}

type Member = Pick<StatedMember, 'path' | 'value'>;

function membersBelow(path: readonly string[], value: unknown, depth: number): Member[] {
  if (path[0] === 'models' && path.length === 2 && typeof value === 'string')
    return [{ path: [...path, 'good'], value }];
  const isGroup = path.length < depth && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isGroup) return [{ path, value }];
  return Object.entries(mapping(value)).flatMap(([name, item]) => membersBelow([...path, name], item, depth));
}

/** The profile that has these members. */
export function profileOfMembers(members: readonly Member[]): Record<string, unknown> {
  return members.reduce<Record<string, unknown>>((whole, { path, value }) => set(whole, path, value), {});
}

function set(
  whole: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  return { ...whole, [name]: rest.length === 0 ? value : set(mapping(whole[name]), rest, value) };
}
