/** Returns the first element that matches a selector. Throws an error if it is missing or of another kind. */
export function find(selector: string): HTMLElement;
export function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind;
export function find(selector: string, kind: new () => HTMLElement = HTMLElement): HTMLElement {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} ${selector}.`);
}

/** Creates an element. No text is inserted as HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  content: string | readonly (Node | string)[] = '',
  name = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.append(...(typeof content === 'string' ? [content] : content));
  if (name !== '') element.className = name;
  return element;
}

/** Returns the parts of a sentence. The words between backticks become code. */
export const makeProse = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : make('code', part)));

export function makeButton(content: string | readonly (Node | string)[], name = ''): HTMLButtonElement {
  const button = make('button', content, name);
  button.type = 'button';
  return button;
}

/** Returns the closest element that contains the target of an event, or is it, and matches a selector. */
export function closestTo({ target }: Event, selector: string): HTMLElement | undefined {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement ? found : undefined;
}
