import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { toMapping } from '../../common/mapping.ts';
import { readMember } from '../../common/pointer.ts';
import type { ModelOperation } from '../profile/profile.ts';

/** The settings with which an SDK reaches the gateway. */
export interface Access {
  /** The base URL that the SDK calls, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** The headers that are sent with every request in addition to those of the SDK. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface ModelCall extends Access {
  readonly operation: ModelOperation;
  readonly model: string;
  /** Members to add to the body, if `takesExtra` of the SDK is true. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Whether to omit the content of the message. */
  readonly lacksContent: boolean;
}

/** The documented part of a result that an SDK did not return; undefined if the result was complete. */
export type MissingPart = string | undefined;

/** An error that the user of an SDK gets. */
export interface SdkError {
  readonly class: string;
  /** The message of the error in a log. */
  readonly text: string;
  /** The texts that may contain the message of the gateway. */
  readonly messages: readonly string[];
  readonly types: readonly string[];
  readonly traces: readonly string[];
}

/** The calls of a loaded SDK. A call rejects with the error that the SDK throws or reports in a stream. */
export interface LoadedSdk {
  readonly plain: (call: ModelCall) => Promise<MissingPart>;
  readonly streamed: (call: ModelCall) => Promise<MissingPart>;
  readonly models: (access: Access) => Promise<readonly string[]>;
  readonly describe: (error: unknown) => SdkError;
  /** Returns the name of the error class that the SDK documents for a status. */
  readonly classOf: (status: number) => string;
}

/**
 * Loads a package of an SDK. The result has the type `any`. The caller declares the type of the result as the
 * exports of a supported version.
 */
export type LoadPackage = (name: string) => ReturnType<NodeJS.Require>;

/** The versions of a package that a driver supports. */
export interface SupportedVersions {
  /** The first version, as `MAJOR.MINOR`. The driver was tried with it, and `package.json` states the same version. */
  readonly from: string;
  /** The last major version. */
  readonly to: number;
}

export interface SdkDriver {
  readonly id: string;
  /** The packages of the SDK. */
  readonly packages: Readonly<Record<string, SupportedVersions>>;
  readonly operations: readonly ModelOperation[];
  /**
   * The model list that the SDK requests. `models`: `GET /v1/models`. `own`: a list that the specification
   * does not define. `none`: the SDK has no call for a list.
   */
  readonly lists: 'models' | 'own' | 'none';
  /** Whether the SDK can add members to the body of a call. */
  readonly takesExtra: boolean;
  readonly load: (loadPackage: LoadPackage, versions: Readonly<Record<string, string>>) => LoadedSdk;
}

export const prompt = 'Say ok.';

/** Reads an error body. Each member of the result is a list, which is empty if the body lacks the value. */
export function readErrorBody(body: unknown): Pick<SdkError, 'messages' | 'types' | 'traces'> {
  const texts = (...pointers: string[]): string[] =>
    pointers.map((pointer) => readMember(body, pointer)).filter((value) => typeof value === 'string');
  return { messages: texts('/error/message'), types: texts('/error/type'), traces: texts('/trace_id') };
}

/**
 * Reads an error body from its text. The whole text is the last message. If the text is not JSON, the result has only
 * this message.
 */
export function readErrorText(text: string): Pick<SdkError, 'messages' | 'types' | 'traces'> {
  try {
    const found = readErrorBody(JSON.parse(text));
    return { ...found, messages: [...found.messages, text] };
  } catch {
    return { messages: [text], types: [], traces: [] };
  }
}

/** Returns the class and the text of any thrown value. */
export function describeThrown(error: unknown): Pick<SdkError, 'class' | 'text'> {
  if (!(error instanceof Error)) return { class: typeof error, text: String(error) };
  return { class: error.constructor.name, text: error.message };
}

export function filterTexts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Whether a value is an object with at least one member. */
export function hasMembers(value: unknown): boolean {
  return Object.keys(toMapping(value)).length > 0;
}

/** A loaded SDK, or the reason why the SDK is not available. */
export type SdkLoadResult =
  | { readonly kind: 'loaded'; readonly sdk: LoadedSdk; readonly versions: Readonly<Record<string, string>> }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Loads an SDK. Packages that are not installed in the user's folder come from the dependencies of this package. */
export function loadSdk({ packages, load }: SdkDriver, folder: string): SdkLoadResult {
  const places = [createRequire(join(folder, 'package.json')), createRequire(import.meta.url)];
  const found = new Map<string, { readonly loadPackage: LoadPackage; readonly version: string }>();
  const missing: string[] = [];
  for (const [name, supported] of Object.entries(packages)) {
    const loadPackage = places.find((place) => resolvePackage(name, place) !== undefined);
    if (!loadPackage) {
      missing.push(name);
      continue;
    }
    const version = readVersion(name, loadPackage);
    if (!isSupported(version, supported)) {
      const reason = `${name} ${version} is installed. Supported versions: ${supported.from} to ${supported.to}.x.`;
      return { kind: 'unavailable', reason };
    }
    found.set(name, { loadPackage, version });
  }
  if (missing.length > 0)
    return { kind: 'unavailable', reason: `The SDK is not installed. Install ${missing.join(' and ')}.` };
  const versions = Object.fromEntries([...found].map(([name, { version }]) => [name, version]));
  return { kind: 'loaded', versions, sdk: load((name) => found.get(name)?.loadPackage(name), versions) };
}

function resolvePackage(name: string, place: NodeJS.Require): string | undefined {
  try {
    return place.resolve(name);
  } catch {
    return undefined;
  }
}

function readVersion(name: string, place: NodeJS.Require): string {
  for (let at = dirname(place.resolve(name)); at !== dirname(at); at = dirname(at)) {
    const file = join(at, 'package.json');
    if (!existsSync(file)) continue;
    const manifest = toMapping(JSON.parse(readFileSync(file, 'utf8')));
    if (manifest.name === name && typeof manifest.version === 'string') return manifest.version;
  }
  return 'of an unknown version';
}

function isSupported(version: string, { from, to }: SupportedVersions): boolean {
  const [[major = 0, minor = 0] = [], [firstMajor = 0, firstMinor = 0] = []] = [version, from].map((text) =>
    text.split('.').map(Number),
  );
  return major <= to && (major > firstMajor || (major === firstMajor && minor >= firstMinor));
}
