/** Makes the ids of the page, which stay the same from run to run, and the links to them. */
export const anchors = {
  requirement: (id: string): string => `requirement/${id}`,
  case: (id: string): string => `case/${id}`,
};

/** A link to an element of the page by its id. */
export function linkTo(anchor: string): string {
  return `#${encodeURIComponent(anchor).replaceAll('%2F', '/').replaceAll('%3D', '=')}`;
}
