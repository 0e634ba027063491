import { checkSource } from './compile-schema.ts';
import { schemaText } from './schemas.ts';
import { readSeed, seedText } from './seed.ts';

const schemas = ['chat-request', 'responses-request', 'messages-request', 'generate-request', 'script'];

/** The files by name that spare a start the reading of YAML and the compiling of schemas; throws where the data is broken. */
export function buildData(): ReadonlyMap<string, string> {
  return new Map([
    ['seed.json', JSON.stringify({ text: seedText(), value: readSeed() })],
    ...schemas.map((name) => {
      const text = schemaText(name);
      const check = checkSource(JSON.parse(text));
      return [
        `${name}.cjs`,
        `${check}\nmodule.exports = { text: ${JSON.stringify(text)}, value: module.exports };\n`,
      ] as const;
    }),
  ]);
}
