import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { mapping } from '../catalog/mapping.ts';
import type { Enter, OpenSdk, Sdk } from './sdk.ts';

/** An SDK as it was found here. */
export type FoundSdk =
  | { readonly kind: 'open'; readonly sdk: OpenSdk; readonly versions: Readonly<Record<string, string>> }
  | { readonly kind: 'absent'; readonly reason: string };

/** Loads an SDK from a folder of the user's, so that it is the user's own version, else from beside this package. */
export function loadSdk({ packages, open }: Sdk, folder: string): FoundSdk {
  const places = [createRequire(join(folder, 'package.json')), createRequire(import.meta.url)];
  const found = new Map<string, { readonly enter: Enter; readonly version: string }>();
  const missing: string[] = [];
  for (const [name, majors] of Object.entries(packages)) {
    const enter = places.find((place) => resolved(name, place) !== undefined);
    if (!enter) {
      missing.push(name);
      continue;
    }
    const version = versionOf(name, enter);
    if (!majors.includes(Number.parseInt(version, 10))) {
      const known = listed(majors);
      return { kind: 'absent', reason: `${name} ${version} is installed; ${known} can be judged.` };
    }
    found.set(name, { enter, version });
  }
  if (missing.length > 0)
    return { kind: 'absent', reason: `Install ${missing.join(' and ')} to have it judged.` };
  const versions = Object.fromEntries([...found].map(([name, { version }]) => [name, version]));
  return { kind: 'open', versions, sdk: open((name) => found.get(name)?.enter(name), versions) };
}

function resolved(name: string, place: NodeJS.Require): string | undefined {
  try {
    return place.resolve(name);
  } catch {
    return undefined;
  }
}

/** The version in the package file above the module that is loaded. */
function versionOf(name: string, place: NodeJS.Require): string {
  for (let at = dirname(place.resolve(name)); at !== dirname(at); at = dirname(at)) {
    const file = join(at, 'package.json');
    if (!existsSync(file)) continue;
    const manifest = mapping(JSON.parse(readFileSync(file, 'utf8')));
    if (manifest.name === name && typeof manifest.version === 'string') return manifest.version;
  }
  return 'of an unknown version';
}

function listed(majors: readonly number[]): string {
  return new Intl.ListFormat('en-GB').format(majors.map((major) => `${major}.x`));
}
