import XMLBuilder from 'fast-xml-builder';
import { escapeLogCommands } from './printable.ts';

/** An XML element with its attributes and content. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly XmlElement[];
}

/** Characters that XML 1.0 does not allow, even as an escape. */
const invalid = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Invisible characters, and changes of text direction, which XML allows as escapes. */
const unseenInXml = /[\r\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

const builder = new XMLBuilder({
  preserveOrder: true,
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  // This option would also escape quotes in texts, which makes them hard to read.
  processEntities: false,
});

/** Writes an XML 1.0 document. Characters that XML does not allow become U+FFFD. */
export function writeXml(root: XmlElement): string {
  const declaration = { '?xml': [], ':@': { version: '1.0', encoding: 'UTF-8' } };
  return `${escapeLogCommands(builder.build([declaration, inOrder(root)]), 'xml')}\n`;
}

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
    .replace(unseenInXml, (letter) => `&#${letter.codePointAt(0)};`);
}
