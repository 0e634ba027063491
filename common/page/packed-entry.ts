/**
 * An entry that a page shows only on demand: its ID, the value that a filter compares, such as an outcome, and the HTML
 * of its line and of what the line opens to.
 */
export type PackedEntry = readonly [id: string, kind: string, line: string, body: string];
