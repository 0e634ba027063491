import { list, mapping } from '../catalog/mapping.ts';

/** Whether a text of a model list is the model's ID, plain or as its last path segment. */
export function isModel(text: string, model: string): boolean {
  return text === model || text.endsWith(`/${model}`) || model.endsWith(`/${text}`);
}

/** Whether any text in a JSON value, keys included, passes the test; depth is no matter. */
export function someText(value: unknown, test: (text: string) => boolean): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === 'string' && test(item)) return true;
    if (Array.isArray(item)) open.push(...list(item));
    else for (const [name, inner] of Object.entries(mapping(item))) open.push(name, inner);
  }
  return false;
}
