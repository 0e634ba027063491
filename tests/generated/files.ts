import { listDefaultCases } from './default-cases.ts';
import { updateFlagsDocument, updateLibraryDocument } from './flags-document.ts';
import { createPins } from './pins.ts';
import { createAttributesSchema, createDefaultsSchema, createNamedChangesSchema } from './schemas.ts';

/** Returns the new text of a file from its present text, which is empty if the file doesn't exist. */
type Update = (present: string) => string | Promise<string>;

/** The generated files that the repository contains. `npm run generate` writes them. */
export const generatedFiles: Readonly<Record<string, Update>> = {
  'specs/schemas/editor/attributes.schema.json': () => formatJson(createAttributesSchema(), 2),
  'specs/schemas/named-changes.schema.json': () => formatJson(createNamedChangesSchema(), 2),
  'specs/schemas/defaults.schema.json': () => formatJson(createDefaultsSchema(), 2),
  'suites/default-cases.json': async () => formatJson(await listDefaultCases(), 1),
  'docs/flags.md': updateFlagsDocument,
  'docs/library.md': updateLibraryDocument,
};

/** What is pinned, by the name of the file in tests/pins. `npm run generate -- pins` writes these files. */
export async function updatePins(): Promise<Readonly<Record<string, string>>> {
  const pins = Object.entries(await createPins());
  return Object.fromEntries(pins.map(([name, lines]) => [`tests/pins/${name}`, `${lines.join('\n')}\n`]));
}

function formatJson(value: object, indent: number): string {
  return `${JSON.stringify(value, undefined, indent)}\n`;
}
