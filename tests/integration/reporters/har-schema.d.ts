declare module 'har-schema' {
  /** The JSON Schemas of HAR 1.2, by the name of the described object. */
  const schemas: Readonly<Record<string, object>>;
  export default schemas;
}
