import { readDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import {
  attributesFile,
  attributesOfPackage,
  type Container,
  type Place,
} from '../../runner/catalog/attributes.ts';
import { applyEdit } from '../../runner/request/key-edits.ts';
import { createNameSource } from '../../runner/request/keys.ts';

export const mark = '<!-- This table is written by `npm run generate`. -->';
const attributes = toMapping(readDataFile(attributesFile).value);
const { keyKinds, places } = attributesOfPackage();

const exampleKey = 'sk-Ab3dEf6hIj9kMn2p';
const context = { taken: [], nameSource: createNameSource('example') };

/** The notation of each part of a request that can contain the key. */
const notations: Readonly<Record<Container, (name: string, text: string) => string>> = {
  headers: (name, text) => `${name}: ${text}`,
  query: (name, text) => `?${name}=${text}`,
  cookie: (name, text) => `cookie: ${name}=${text}`,
  body: (name, text) => JSON.stringify({ [name]: text }),
};

function formatPlace({ parts = [] }: Place): string {
  const shown = parts.map(({ in: container, name, template }) =>
    notations[container](name, template.replace(/\{base64\((.*)\)\}/, 'base64($1)').replace('{key}', 'KEY')),
  );
  return shown.map((text) => formatCode(text, 80)).join(', ');
}

function formatCode(text: string, longest: number): string {
  return `\`${text.length > longest ? `${text.slice(0, longest)}…` : text}\``;
}

/** The columns between the value and `seen-in`, for each attribute with a table. */
const columns: Readonly<Record<string, Readonly<Record<string, (value: string, says: string) => string>>>> = {
  header: { Request: (value) => formatPlace(places.get(value) ?? { says: '', parts: [] }) },
  key: {
    Key: (_, says) => says,
    [`From \`${exampleKey}\``]: (value) =>
      formatCode(
        applyEdit(
          keyKinds.get(value) ?? { says: '', profile: undefined, edit: undefined },
          exampleKey,
          context,
        ) ?? '',
        40,
      ),
  },
  added: { Request: (_, says) => says },
  accept: { Request: (_, says) => says },
  transfer: { Request: (_, says) => says },
};

function formatTable(attribute: string): string {
  const shown = Object.entries(columns[attribute] ?? {});
  const rows = Object.entries(toMapping(toMapping(attributes[attribute]).values)).flatMap(([value, row]) => {
    const { says, 'seen-in': seenIn } = toMapping(row);
    return seenIn === undefined
      ? []
      : [[`\`${value}\``, ...shown.map(([, format]) => format(value, String(says))), String(seenIn)]];
  });
  const head = [`\`${attribute}\``, ...shown.map(([title]) => title), 'Seen in'];
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** Returns docs/value-classes.md with the tables of the values that have `seen-in` in specs/attributes.yaml. */
export function updateValueClasses(document: string): string {
  return document.replace(
    new RegExp(`(?<=${mark}\n\n)\\| \`(\\w+)\` .*?\n(?!\\|)`, 'gs'),
    (_, attribute: string) => `${formatTable(attribute)}\n`,
  );
}
