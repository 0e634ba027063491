import { create } from 'xmlbuilder2';

/** An element: its name, its attributes, and what stands in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly XmlElement[];
}

/** An XML 1.0 document; what such a document may not hold is replaced with U+FFFD. */
export function writeXml(root: XmlElement): string {
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' });
  append(document, root);
  return `${document.end({ prettyPrint: true })}\n`;
}

type Parent = ReturnType<typeof create>;

function append(parent: Parent, { name, attributes = {}, content = [] }: XmlElement): void {
  const element = parent.ele(name, attributes);
  if (typeof content === 'string') element.txt(content);
  else for (const child of content) append(element, child);
}
