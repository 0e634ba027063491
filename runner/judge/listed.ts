import { mapping } from '../catalog/mapping.ts';
import { someInside } from './some-inside.ts';

/** Whether a text of a model list is the model's ID, plain or as its last path segment. */
export function isModel(text: string, model: string): boolean {
  return text === model || text.endsWith(`/${model}`) || model.endsWith(`/${text}`);
}

/** Whether any text in a JSON value, keys included, passes the test; depth is no matter. */
export function someText(value: unknown, test: (text: string) => boolean): boolean {
  return someInside(value, (item) =>
    typeof item === 'string' ? test(item) : Object.keys(mapping(item)).some(test),
  );
}
