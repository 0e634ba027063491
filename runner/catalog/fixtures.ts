import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDataFile } from '../../contract/data-file.ts';
import { list, mapping } from '../../contract/mapping.ts';
import { packageRoot } from '../../contract/package-root.ts';
import { protocolVersion } from '../../contract/specification.ts';
import { type Condition, parseCondition } from './condition.ts';

/** The changes that turn a valid body into a body that is not JSON. */
export interface UnparseableBody {
  /** The text to send instead of the valid body. */
  readonly text?: string;
  /** The number of characters to remove at the end. */
  readonly cut?: number;
  readonly prepend?: string;
  readonly append?: string;
  /** The number of copies of the body, or of `text`, to send in a row. */
  readonly times?: number;
  /** The number of characters in the text of an additional member. */
  readonly pad?: number;
  /** Whether to remove the quotation marks around the names of members. */
  readonly bareNames?: boolean;
  /** The text to add after each character. */
  readonly between?: string;
  /** The replacement for each quotation mark. */
  readonly quote?: string;
}

/** The content of `fixtures/`: prepared parts of requests, data for finding models, and words for judging responses. */
export interface Fixtures {
  /** Valid bodies by name, with the placeholders `{model}`, `{image}` and `{jpeg}`. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /** A PNG in base64. */
  readonly image: string;
  /** A JPEG in base64. */
  readonly jpeg: string;
  readonly types: Readonly<Record<string, unknown>>;
  readonly unparseable: Readonly<Record<string, UnparseableBody>>;
  readonly leftOpen: Readonly<
    Record<
      string,
      { readonly path?: readonly (string | number)[]; readonly value?: unknown; readonly prepend?: string }
    >
  >;
  readonly records: Readonly<Record<string, string>>;
  readonly unparseableTime: string;
  /** Letters to add after a time, a date that does not exist, and a word for an infinite time. */
  readonly almostTimes: { readonly letters: string; readonly day: string; readonly infinite: string };
  /** The values of the header `accept`, by the value of the attribute `accept`. */
  readonly accept: Readonly<Record<string, string>>;
  /** Sets of headers that browsers and proxies add, with the placeholder `{origin}`. */
  readonly addedHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly versionHeader: { readonly sent: string; readonly other: string };
  readonly unknownPath: string;
  readonly familyCModelList: string;
  /** The words that name each JSON type, in lower case. */
  readonly typeWords: ReadonlyMap<
    string,
    { readonly words: ReadonlySet<string>; readonly translated: readonly string[] }
  >;
  /**
   * Words and phrases in lower case. A response that is in no documented form counts as an error if it contains one of them.
   */
  readonly errorWords: readonly string[];
  /** The parts of generated requests, in addition to the fixtures above. */
  readonly generated: {
    /** The paths of the members that contain text for a model, without indexes: `messages[].content`. */
    readonly prompts: readonly string[];
    readonly modelParts: { readonly body: readonly string[]; readonly path: readonly string[] };
    readonly timeless: { readonly beginning: string; readonly letters: string };
    /** The limits of generated time ranges, in milliseconds since 1970-01-01 UTC. */
    readonly times: { readonly from: number; readonly to: number };
  };
  readonly discovery: {
    readonly tries: number;
    readonly avoid: RegExp;
    readonly prefer: Readonly<Record<string, readonly RegExp[]>>;
    /** The operations to try a model with. The first entry whose pattern matches the model ID determines them. */
    readonly fits: readonly { readonly id: RegExp; readonly operations: readonly string[] }[];
    /** The condition for the cases that are repeated for each model. */
    readonly varies: Condition;
  };
}

/** The maximum length, in characters, of an ID that is compared with patterns: some patterns take quadratic time. */
const longestId = 500;

/** Whether a model ID matches a pattern of `fixtures/discovery.yaml`; false for an ID of more than 500 characters. */
export function matchesModel(pattern: RegExp, id: string): boolean {
  return id.length <= longestId && pattern.test(id);
}

/** Reads the files of `fixtures/`. Throws DataFileError if a YAML file cannot be read. */
export function loadFixtures(): Fixtures {
  const read = (name: string): Record<string, never> =>
    Object(readDataFile(join(packageRoot, 'fixtures', name)).value);
  const readImage = (name: string): string =>
    readFileSync(join(packageRoot, 'fixtures', name)).toString('base64');
  const faults = read('faults.yaml');
  const headers = read('headers.yaml');
  const words = read('words.yaml');
  const discovery = read('discovery.yaml');
  const generated = read('generated.yaml');
  const times = mapping(generated.times);
  const pattern = (text: unknown): RegExp => new RegExp(String(text), 'i');
  return {
    bodies: read('bodies.yaml'),
    image: readImage('red-square.png'),
    jpeg: readImage('red-square.jpg'),
    types: Object(faults.types),
    unparseable: Object(faults.unparseable),
    leftOpen: Object(faults['left-open']),
    records: Object(faults.records),
    unparseableTime: String(faults.unparseableTime),
    almostTimes: Object(faults.almostTimes),
    accept: Object(headers.accept),
    addedHeaders: Object(headers.added),
    versionHeader: { sent: protocolVersion, other: String(faults.otherVersion) },
    unknownPath: String(faults.unknownPath),
    familyCModelList: String(faults.familyCModelList),
    typeWords: new Map(
      Object.entries(mapping(words.types))
        .map(([type, names]) => [type, mapping(names)] as const)
        .map(([type, names]) => [
          type,
          { words: new Set(list(names.words).map(String)), translated: list(names.translated).map(String) },
        ]),
    ),
    errorWords: list(words.errors).map(String),
    generated: {
      prompts: Object(generated.prompts),
      modelParts: Object(generated.modelParts),
      timeless: Object(generated.timeless),
      times: { from: Date.parse(String(times.from)), to: Date.parse(String(times.to)) },
    },
    discovery: {
      tries: Number(discovery.tries),
      avoid: pattern(discovery.avoid),
      prefer: Object.fromEntries(
        Object.entries(Object(discovery.prefer)).map(([name, texts]) => [
          name,
          list(texts).map((text) => pattern(text)),
        ]),
      ),
      fits: list(discovery.fits)
        .map(mapping)
        .map(({ id, operations }) => ({
          id: pattern(id),
          operations: list(operations).map(String),
        })),
      varies: parseCondition(
        discovery.varies,
        (path, problem) => new Error(`fixtures/discovery.yaml, varies, ${path.join('/')}: ${problem}`),
      ),
    },
  };
}
