import { createHash, randomUUID } from 'node:crypto';

/** Makes up 128 hexadecimal digits that nobody could foresee: the same each time for the same name. */
export type NameSource = (name: string) => string;

/** What is made up by draws of one seed is the same for the same names; another each time where no seed is given. */
export function createNameSource(seed: string = randomUUID()): NameSource {
  return (name) => createHash('sha512').update(`${seed} ${name}`).digest('hex');
}

/** A UUID of version 4 for a name. */
export function uniqueUuid(draw: NameSource, name: string): string {
  const digits = draw(name);
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
