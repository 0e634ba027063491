/** A column of a table of requests. `number` aligns the values to the right. */
export type Column<Name extends string = string> = { readonly name: Name; readonly number?: true };
