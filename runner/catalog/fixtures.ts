import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFile, readDataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { Schemas } from '../../common/schemas.ts';
import { protocolVersion } from '../../common/specification.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { type Condition, parseCondition } from './condition.ts';

/** Changes to the text of a valid body that make the text invalid as JSON. */
export interface UnparseableBody {
  /** The text to send instead of the valid body. `{model}` stands for the model ID. */
  readonly text?: string;
  /** The number of characters to remove from the end of the body. */
  readonly cut?: number;
  readonly prepend?: string;
  readonly append?: string;
  /** The number of consecutive copies of the body, or of `text`, to send. */
  readonly times?: number;
  /** The number of characters in the value of an additional member. */
  readonly pad?: number;
  /** Whether to remove the quotation marks around the names of members. */
  readonly bareNames?: boolean;
  /** A text to insert after each character. */
  readonly between?: string;
  /** The replacement for each quotation mark. */
  readonly quote?: string;
}

/**
 * The content of `fixtures/` for planning and judging: parts of requests, patterns for choosing models, and words for
 * judging responses.
 */
export interface Fixtures {
  /** Valid bodies by name. Their strings can contain the placeholders `{model}`, `{image}`, `{jpeg}` and `{filler}`. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /** A PNG image in base64. */
  readonly image: string;
  /** A JPEG image in base64. */
  readonly jpeg: string;
  readonly types: Readonly<Record<string, unknown>>;
  readonly unparseable: Readonly<Record<string, UnparseableBody>>;
  readonly leftOpen: Readonly<
    Record<
      string,
      { readonly path?: readonly (string | number)[]; readonly value?: unknown; readonly prepend?: string }
    >
  >;
  /**
   * The IDs of models that do not exist, by the value of the attribute `given`. `{good}` stands for the ID of a model
   * that exists, and `{rest}` for 12 hexadecimal digits that are generated for each round.
   */
  readonly unlistedModels: Readonly<Record<string, string>>;
  readonly records: Readonly<Record<string, string>>;
  readonly unparseableTime: string;
  /**
   * Parts of invalid times: letters to append to a valid time, a day and a month that do not exist, and a word for
   * infinity.
   */
  readonly almostTimes: Readonly<Record<'letters' | 'day' | 'month' | 'infinite', string>>;
  /**
   * The values of the header `Accept`, by the value of the attribute `accept`. In a streamed request, the entry
   * `stream` replaces `json`.
   */
  readonly accept: Readonly<Record<string, string>>;
  /**
   * Sets of headers that browsers and proxies add, by the value of the attribute `added`. `{origin}` stands for the
   * origin of the base URL.
   */
  readonly addedHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly versionHeader: { readonly sent: string; readonly other: string };
  readonly unknownPath: string;
  readonly familyCModelList: string;
  /**
   * The words for each JSON type in error messages, in lower case: names from programming languages, English words, and
   * words from other natural languages in ASCII letters.
   */
  readonly typeWords: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Words and phrases in lower case. A streamed response that contains no model output and at least one of these
   * texts counts as an error, even if the format of the error is unknown.
   */
  readonly errorWords: readonly string[];
  /** Words in lower case and without accents that say no more than that a request is invalid. */
  readonly genericWords: ReadonlySet<string>;
  /** The parts of generated requests that the other fixtures do not contain. */
  readonly generated: {
    /**
     * The members of bodies that can contain any text for the model, as paths without indexes: `messages[].content`.
     */
    readonly prompts: readonly string[];
    readonly modelParts: { readonly body: readonly string[]; readonly path: readonly string[] };
    readonly timeless: { readonly beginning: string; readonly letters: string };
    /**
     * The limits of a time that each generated time range contains, in milliseconds since 1970-01-01 UTC. In a reversed
     * range, this time is the end, and the start is up to 150 days later.
     */
    readonly times: { readonly from: number; readonly to: number };
  };
  readonly discovery: {
    readonly tries: number;
    readonly pattern: RegExp;
    readonly last: RegExp;
    readonly avoid: RegExp;
    readonly prefer: Readonly<Record<string, readonly RegExp[]>>;
    /**
     * The operations with which `--models` tests a listed model, by a pattern of the model ID. The first entry that
     * matches applies.
     */
    readonly fits: readonly { readonly id: RegExp; readonly operations: readonly string[] }[];
    /** The condition for the cases that `--models` repeats for each listed model. */
    readonly varies: Condition;
  };
}

/** The maximum length of a model ID that is matched, in characters. Some patterns take quadratic time. */
const longestId = 500;

/**
 * Whether a model ID matches a pattern of `fixtures/discovery.yaml`. Returns false if the ID has more than 500
 * characters.
 */
export function matchesModel(pattern: RegExp, id: string): boolean {
  return id.length <= longestId && pattern.test(id);
}

/**
 * Reads the files of `fixtures/`. Throws a `DataFileError` if a YAML file cannot be read, is not valid YAML or violates
 * its schema, or if the condition `varies` is invalid. Throws another `Error` if an image cannot be read or a pattern
 * is invalid.
 */
export function loadFixtures(schemas?: Schemas, folder: string = join(packageRoot, 'fixtures')): Fixtures {
  const readFile = (name: string): DataFile => {
    const file = readDataFile(join(folder, `${name}.yaml`));
    if (schemas) readBySchema(file, 'fixtures', schemas, name);
    return file;
  };
  const read = (name: string): Record<string, never> => Object(readFile(name).value);
  const readImage = (name: string): string => readFileSync(join(folder, name)).toString('base64');
  const faults = read('faults');
  const headers = read('headers');
  const words = read('words');
  const discoveryFile = readFile('discovery');
  const discovery = toMapping(discoveryFile.value);
  const generated = read('generated');
  const times = toMapping(generated.times);
  const toPattern = (text: unknown): RegExp => new RegExp(String(text), 'i');
  return {
    bodies: read('bodies'),
    image: readImage('red-square.png'),
    jpeg: readImage('red-square.jpg'),
    types: Object(faults.types),
    unparseable: Object(faults.unparseable),
    leftOpen: Object(faults['left-open']),
    unlistedModels: Object(faults.unlistedModels),
    records: Object(faults.records),
    unparseableTime: String(faults.unparseableTime),
    almostTimes: Object(faults.almostTimes),
    accept: Object(headers.accept),
    addedHeaders: Object(headers.added),
    versionHeader: { sent: protocolVersion, other: String(faults.otherVersion) },
    unknownPath: String(faults.unknownPath),
    familyCModelList: String(faults.familyCModelList),
    typeWords: new Map(
      Object.entries(toMapping(words.types)).map(([type, names]) => [
        type,
        new Set(toList(names).map(String)),
      ]),
    ),
    errorWords: toList(words.errors).map(String),
    genericWords: new Set(toList(words.generic).map(String)),
    generated: {
      prompts: Object(generated.prompts),
      modelParts: Object(generated.modelParts),
      timeless: Object(generated.timeless),
      times: { from: Date.parse(String(times.from)), to: Date.parse(String(times.to)) },
    },
    discovery: {
      tries: Number(discovery.tries),
      pattern: toPattern(discovery.pattern),
      last: toPattern(discovery.last),
      avoid: toPattern(discovery.avoid),
      prefer: Object.fromEntries(
        Object.entries(Object(discovery.prefer)).map(([name, texts]) => [
          name,
          toList(texts).map((text) => toPattern(text)),
        ]),
      ),
      fits: toList(discovery.fits)
        .map(toMapping)
        .map(({ id, operations }) => ({
          id: toPattern(id),
          operations: toList(operations).map(String),
        })),
      varies: parseCondition(discovery.varies, (path, problem) =>
        discoveryFile.error(['varies', ...path], problem),
      ),
    },
  };
}
