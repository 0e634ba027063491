import type { Json, JsonObject } from '../json.ts';
import type { Prompt, Tool } from './prompt.ts';
import { sampleObjectOf, sampleOf } from './sample.ts';

/** A part of an answer, in the order in which a model sends them: reasons, text, calls of tools. */
export type AnswerPart =
  | { readonly kind: 'reasons'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: JsonObject };

/**
 * Why an answer ends: at its end, before one of the texts at which the request stops it (`stop-sequence`), at the largest
 * number of tokens (`length`), or since the model calls tools.
 */
export type Finish = 'end' | 'stop-sequence' | 'length' | 'calls';

/** What a model answers. `stop` is the text at which the request stopped it. */
export type Answer = {
  readonly parts: readonly AnswerPart[];
  readonly finish: Finish;
  readonly stop: string | null;
};

/** An answer that is written in advance: a text, or the parts of an answer. Limits of the request don't apply to it. */
export type Script = string | ScriptedParts;

export type ScriptedParts = {
  readonly reasons?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly finish?: Finish;
};

/** Four characters count as one token. Returns at least one. */
export const countTokens = (length: number): number => Math.max(1, Math.ceil(length / 4));

/** Returns what a model with this ID answers to a prompt. The same prompt always gets the same answer. */
export function answerPrompt(prompt: Prompt, model: string): Answer {
  const reasons = `The user wrote ${prompt.text.length} characters.`;
  return limit(
    [...(prompt.reasons ? [{ kind: 'reasons', text: reasons } as const] : []), ...createParts(prompt, model)],
    prompt,
  );
}

/** Returns the answer that a script gives. */
export function followScript(script: Script): Answer {
  const {
    reasons,
    text,
    calls = [],
    finish,
  }: ScriptedParts = typeof script === 'string' ? { text: script } : script;
  const parts: readonly AnswerPart[] = [
    ...(reasons === undefined ? [] : [{ kind: 'reasons', text: reasons } as const]),
    ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
    ...calls.map((call) => ({ kind: 'call', ...call }) as const),
  ];
  return { parts, finish: finish ?? (calls.length > 0 ? 'calls' : 'end'), stop: null };
}

function createParts(prompt: Prompt, model: string): readonly AnswerPart[] {
  const { results, schema, text, tools, toolChoice } = prompt;
  const calls = results.length > 0 ? [] : chooseCalls(prompt);
  if (calls.length > 0) return calls;
  if (schema) return [{ kind: 'text', text: formatValue(sampleOf(schema, text), prompt) }];
  if (results.length > 0) return [{ kind: 'text', text: `The result is: ${results.join('\n')}` }];
  const hint =
    tools.length > 0 && toolChoice === 'auto'
      ? ` To have a tool called, name it: ${tools.map(({ name }) => name).join(', ')}.`
      : '';
  return [{ kind: 'text', text: `This is ${model} of the reference gateway.${hint}` }];
}

/** A text that is to be written without quotation marks is a value of an enumeration. */
const formatValue = (value: Json, { unquoted }: Prompt): string =>
  unquoted && typeof value === 'string' ? value : JSON.stringify(value);

/** The model calls each tool that the text names, and the first one if it must call a tool and the text names none. */
function chooseCalls({ text, tools, toolChoice, parallel }: Prompt): readonly AnswerPart[] {
  if (toolChoice === 'none') return [];
  const named = tools
    .map((tool) => ({ tool, at: findName(text, tool.name) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const called = named.length > 0 || toolChoice === 'auto' ? named : tools.slice(0, 1).map(callUnnamed);
  return called.slice(0, parallel ? undefined : 1).map(({ tool, at }) => ({
    kind: 'call',
    name: tool.name,
    arguments: sampleObjectOf(tool.parameters, text.slice(at)),
  }));
}

const callUnnamed = (tool: Tool): { tool: Tool; at: number } => ({ tool, at: 0 });

/** Returns where a text contains a name as a whole word; -1 if it doesn't. */
function findName(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w-]$/.test(text.slice(0, at)) && !/^[\w-]/.test(text.slice(at + name.length))) return at;
  return -1;
}

/** Ends the texts of an answer where the request says so. Calls of tools are never cut. */
function limit(parts: readonly AnswerPart[], { stops, maxTokens }: Prompt): Answer {
  const kept: AnswerPart[] = [];
  let left = maxTokens * 4;
  for (const part of parts) {
    if (part.kind === 'call') {
      kept.push(part);
      continue;
    }
    const stop = part.kind === 'text' ? findStop(part.text, stops) : undefined;
    const text = stop ? part.text.slice(0, stop.at) : part.text;
    if (text.length > left) {
      kept.push({ ...part, text: cut(text, left) });
      return { parts: kept, finish: 'length', stop: null };
    }
    kept.push({ ...part, text });
    if (stop) return { parts: kept, finish: 'stop-sequence', stop: stop.text };
    left -= text.length;
  }
  return { parts: kept, finish: kept.at(-1)?.kind === 'call' ? 'calls' : 'end', stop: null };
}

function findStop(text: string, stops: readonly string[]): { at: number; text: string } | undefined {
  return stops
    .map((stop) => ({ at: stop === '' ? -1 : text.indexOf(stop), text: stop }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
}

/** Never cuts a character in two. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

const endings: Readonly<Record<Finish, string | undefined>> = {
  end: undefined,
  calls: undefined,
  'stop-sequence': 'ends before a stop sequence',
  length: 'ends at the limit of tokens',
};

/** Describes an answer for people: its texts, its calls, and why it ends early. */
export function describeAnswer({ parts, finish }: Answer): readonly string[] {
  const said = parts.map((part) => {
    if (part.kind === 'call') return `calls ${part.name}(${JSON.stringify(part.arguments)})`;
    return part.kind === 'reasons' ? `thinks “${part.text}”` : `“${part.text}”`;
  });
  const ending = endings[finish];
  return ending === undefined ? said : [...said, ending];
}

/** Returns the number of tokens of the parts of an answer, and how many of them are reasons. */
export function countAnswer({ parts }: Answer): { readonly output: number; readonly reasons: number } {
  const lengthOf = (part: AnswerPart): number =>
    part.kind === 'call' ? part.name.length + JSON.stringify(part.arguments).length : part.text.length;
  const sum = (of: readonly AnswerPart[]): number => of.reduce((total, part) => total + lengthOf(part), 0);
  const reasons = parts.filter(({ kind }) => kind === 'reasons');
  return {
    output: countTokens(sum(parts)),
    reasons: reasons.length > 0 ? countTokens(sum(reasons)) : 0,
  };
}
