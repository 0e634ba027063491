/** The text of a script for browsers; see `browser-code.js`. */
declare module '*.ts.js' {
  const text: string;
  export default text;
}

/** The text of a style sheet. */
declare module '*.css.js' {
  const text: string;
  export default text;
}
