/** The sections of the specification that clauses begin with, in its order. */
export const sectionTitles: ReadonlyMap<string, string> = new Map([
  ['1', 'What the service does'],
  ['2.1', 'API keys'],
  ['2.2', 'Error bodies of model endpoints'],
  ['2.3', 'Error bodies of billing-type endpoints'],
  ['2.4', 'Other resources'],
  ['3', 'States and transitions'],
  ['4', 'Endpoints'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7.1', 'Errors of model endpoints'],
  ['7.2', 'Errors of billing-type endpoints'],
  ['7.3', 'Handling of errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
]);

/** The section in which the first of some clauses stands; the text itself where it begins with no number. */
export function sectionOf(clause: string): string {
  return /^\d+(\.\d+)*/.exec(clause)?.[0] ?? clause;
}
