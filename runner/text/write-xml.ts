import XMLBuilder from 'fast-xml-builder';
import { escapeLogCommands } from './printable.ts';

/** An element: its name, its attributes, and what stands in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly XmlElement[];
}

/** What an XML 1.0 document may not hold, also not as an escape. */
const invalid = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** What isn't seen, or changes the order of other letters; a document may hold it as an escape. */
const unseen = /[\r\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

const builder = new XMLBuilder({
  preserveOrder: true,
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  // It would escape quotes in texts, too, which people read as they are.
  processEntities: false,
});

/** An XML 1.0 document; what such a document may not hold is replaced with U+FFFD. */
export function writeXml(root: XmlElement): string {
  const declaration = { '?xml': [], ':@': { version: '1.0', encoding: 'UTF-8' } };
  return `${escapeLogCommands(builder.build([declaration, inOrder(root)]), 'xml')}\n`;
}

/** An element as the builder takes it where the order counts. */
function inOrder({ name, attributes = {}, content = [] }: XmlElement): object {
  return {
    [name]: typeof content === 'string' ? textOf(content) : content.map(inOrder),
    ':@': Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        escapeText(String(value)).replaceAll('"', '&quot;'),
      ]),
    ),
  };
}

function textOf(content: string): object[] {
  return content === '' ? [] : [{ '#text': escapeText(content) }];
}

function escapeText(text: string): string {
  return text
    .replace(invalid, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(unseen, (letter) => `&#${letter.codePointAt(0)};`);
}
