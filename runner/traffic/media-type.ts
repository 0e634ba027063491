/** Whether a content type is one of JSON, whatever its parameters. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
}
