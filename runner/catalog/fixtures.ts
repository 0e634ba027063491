import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDataFile } from '../../contract/data-file.ts';
import { list, mapping } from '../../contract/mapping.ts';
import { packageRoot } from '../../contract/package-root.ts';
import { protocolVersion } from '../../contract/specification.ts';
import { type Condition, parseCondition } from './condition.ts';

/** How a body that is not JSON is created from a valid one. */
export interface UnparseableBody {
  readonly text?: string;
  /** The number of bytes to remove at the end. */
  readonly cut?: number;
  readonly prepend?: string;
  readonly append?: string;
  /** How often the whole body is repeated. */
  readonly times?: number;
  /** The length of the text of an additional member. */
  readonly pad?: number;
  /** Whether the names of members have no quotation marks. */
  readonly bareNames?: boolean;
  /** A text that is added after each character. */
  readonly between?: string;
  /** The text that replaces each quotation mark. */
  readonly quote?: string;
}

/** The parts that requests are built from. */
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
  /** Letters to add after a time, a day that is not in the calendar, and a word for an infinite time. */
  readonly almostTimes: { readonly letters: string; readonly day: string; readonly infinite: string };
  /** The values of the header `accept`. */
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
  /** Words and phrases in lower case. An error in an unknown form contains at least one of them. */
  readonly errorWords: readonly string[];
  /** The parts that generated requests are built from. */
  readonly generated: {
    /** The members, without indexes, that contain text for a model. */
    readonly prompts: readonly string[];
    readonly modelParts: { readonly body: readonly string[]; readonly path: readonly string[] };
    readonly timeless: { readonly beginning: string; readonly letters: string };
    /** The earliest and the latest time, in milliseconds since 1970. */
    readonly times: { readonly from: number; readonly to: number };
  };
  readonly discovery: {
    readonly tries: number;
    readonly avoid: RegExp;
    readonly prefer: Readonly<Record<string, readonly RegExp[]>>;
    /** The operations to try a model with, by the first pattern that matches its ID. */
    readonly fits: readonly { readonly id: RegExp; readonly operations: readonly string[] }[];
    /** The cases that are repeated for each model. */
    readonly varies: Condition;
  };
}

/** The maximum length of an ID that can match. Some patterns take quadratic time. */
const longestId = 500;

/** Whether the ID of a listed model matches a pattern of `fixtures/discovery.yaml`. */
export function matchesModel(pattern: RegExp, id: string): boolean {
  return id.length <= longestId && pattern.test(id);
}

/** Reads `fixtures/`. Throws DataFileError if a file can't be read. */
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
