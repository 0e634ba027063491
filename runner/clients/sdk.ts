import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { mapping } from '../../contract/mapping.ts';
import { readMember } from '../../contract/pointer.ts';
import type { ModelOperation } from '../profile/profile.ts';

/** How a client reaches the gateway. */
export interface Access {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Sent with every request beside what the SDK sends. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A call of a model. */
export interface Call extends Access {
  readonly operation: ModelOperation;
  readonly model: string;
  /** Laid over the body, where the SDK allows that. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Leaves the content of the message out. */
  readonly lacksContent: boolean;
}

/** The part of an answer that an SDK documents and did not give; undefined where it gave all. */
export type Missing = string | undefined;

/** An error as the user of an SDK meets it. */
export interface SeenError {
  /** The name of its class. */
  readonly class: string;
  /** Its message in a line of a log. */
  readonly text: string;
  /** The texts in which a user finds the message of the gateway. */
  readonly messages: readonly string[];
  readonly types: readonly string[];
  readonly traces: readonly string[];
}

/** An SDK that is loaded. */
export interface OpenSdk {
  readonly plain: (call: Call) => Promise<Missing>;
  readonly streamed: (call: Call) => Promise<Missing>;
  /** The IDs of the models that it lists. */
  readonly models: (access: Access) => Promise<readonly string[]>;
  readonly describe: (error: unknown) => SeenError;
  /** The name of the class that it documents for a status. */
  readonly classOf: (status: number) => string;
}

/** Loads one of an SDK's packages; its type is what the known versions of it are. */
export type Enter = (name: string) => ReturnType<NodeJS.Require>;

/** An official SDK that can be driven. */
export interface Sdk {
  readonly id: string;
  /** The packages that it consists of, with the major versions that are known. */
  readonly packages: Readonly<Record<string, readonly number[]>>;
  readonly operations: readonly ModelOperation[];
  /** Where it lists models; a list of its own is one that the specification does not know. */
  readonly lists: 'models' | 'own' | 'none';
  /** Whether members can be added to the body of a call. */
  readonly takesExtra: boolean;
  readonly open: (enter: Enter, versions: Readonly<Record<string, string>>) => OpenSdk;
}

/** What every SDK is asked to say. */
export const prompt = 'Say ok.';

/** What stands in the body of an error: each as a list, empty where it isn't there. */
export function readErrorBody(body: unknown): Pick<SeenError, 'messages' | 'types' | 'traces'> {
  const texts = (...pointers: string[]): string[] =>
    pointers.map((pointer) => readMember(body, pointer)).filter((value) => typeof value === 'string');
  return { messages: texts('/error/message'), types: texts('/error/type'), traces: texts('/trace_id') };
}

/** What stands in an error body that is given as text, with the text itself as a message. */
export function readErrorText(text: string): Pick<SeenError, 'messages' | 'types' | 'traces'> {
  try {
    const found = readErrorBody(JSON.parse(text));
    return { ...found, messages: [...found.messages, text] };
  } catch {
    return { messages: [text], types: [], traces: [] };
  }
}

/** The class and the text of anything that was thrown. */
export function nameOf(error: unknown): Pick<SeenError, 'class' | 'text'> {
  if (!(error instanceof Error)) return { class: typeof error, text: String(error) };
  return { class: error.constructor.name, text: error.message };
}

/** The texts among some values. */
export function textsAmong(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Whether a value is a member that has members of its own. */
export function hasMembers(value: unknown): boolean {
  return Object.keys(mapping(value)).length > 0;
}

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
