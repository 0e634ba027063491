import type { PartialProfile } from '../gateway/profile.ts';

/** The suite as the console needs it: to run it against a copy of its own gateway, and to show a request as a curl line. */
export type ConsoleSuite = {
  /** A sentence about a run, such as the number of its requests. */
  readonly about: string;
  /**
   * Runs the suite against the gateway of this profile. Its requests go to `address`, a URL at which a copy of the
   * gateway listens during the run; the report names the base URL of the profile. `onProgress` is called with numbers of cases: `total` is 0
   * until they are planned. After `signal`, the run ends with the results so far. Rejects if the run fails.
   */
  readonly run: (
    profile: PartialProfile,
    address: string,
    onProgress: (progress: { readonly done: number; readonly total: number }) => void,
    signal: AbortSignal,
  ) => Promise<SuiteResult>;
  /** Returns a shell command that sends a request in which placeholders such as `{{keys.valid}}` stand for keys. */
  readonly curlLine: (request: ShownRequest) => string;
};

export type SuiteResult = {
  /** `conforms`, or why the gateway does not conform. */
  readonly verdict: string;
  /** The verdict in words, with its sign. */
  readonly title: string;
  /** The IDs of the violated requirements. */
  readonly violated: readonly string[];
  /** The number of requirements that have an outcome. */
  readonly requirements: number;
  /** Resolves to the report as an HTML page. */
  readonly html: () => Promise<string>;
};

export type ShownRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body and its length in bytes; null for none. */
  readonly body: { readonly text: string; readonly bytes: number } | null;
};
