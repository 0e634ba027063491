import { isObject, toMapping } from '../../../common/mapping.ts';
import type { ToolChoice } from '../prompt.ts';
import { type Members, toObjects, toTexts } from './members.ts';

/**
 * Reads `tool_choice` of chat completions and responses: a word, one function, or the allowed functions. `nameOf` returns
 * the name of a function, which is in another place in each of them.
 */
export function readToolChoice(choice: unknown, nameOf: (tool: Members) => unknown): ToolChoice {
  if (choice === 'none' || choice === 'required') return { mode: choice };
  if (!isObject(choice)) return { mode: 'auto' };
  const { type } = choice;
  if (type === 'function') return { mode: 'required', allowed: toTexts(nameOf(choice)) };
  if (type !== 'allowed_tools') return { mode: 'auto' };
  const { mode, tools } = toMapping(choice.allowed_tools ?? choice);
  return {
    mode: mode === 'required' ? 'required' : 'auto',
    allowed: toObjects(tools).flatMap((tool) => toTexts(nameOf(tool))),
  };
}
