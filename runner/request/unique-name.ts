import { createHash, randomUUID } from 'node:crypto';

/** Returns 128 hexadecimal digits for a name: the same for the same name, unpredictable without the seed. */
export type NameSource = (name: string) => string;

/** Creates a source of made-up names. The same seed gives the same names. Default: a random seed. */
export function createNameSource(seed: string = randomUUID()): NameSource {
  return (name) => createHash('sha512').update(`${seed} ${name}`).digest('hex');
}

/** Returns the UUID, version 4, of a name. */
export function uniqueUuid(nameSource: NameSource, name: string): string {
  const digits = nameSource(name);
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
