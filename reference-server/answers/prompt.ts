import type { JsonSchema } from '../../common/schemas.ts';

/** The protocols of model calls. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'generate';

/** A function that the model can call. `parameters` is the JSON Schema of its arguments. */
export type Tool = { readonly name: string; readonly parameters: JsonSchema };

/** What a request asks of a model, the same in each protocol. What a protocol cannot ask for has the default. */
export type Prompt = {
  /** The text of the last message that the user wrote. */
  readonly text: string;
  /** The results of the tools that the last answer called, if the conversation ends with them. */
  readonly results: readonly string[];
  readonly tools: readonly Tool[];
  /** `auto`: the model decides. `required`: it must call a tool. */
  readonly toolChoice: 'none' | 'auto' | 'required';
  /** Whether an answer can call several tools. */
  readonly parallel: boolean;
  /** The JSON Schema of the answer; undefined for an answer in words. */
  readonly schema: JsonSchema | undefined;
  /** Whether an answer that is a text in JSON is written without its quotation marks. */
  readonly unquoted?: boolean;
  /** The largest number of tokens in the answer. */
  readonly maxTokens: number;
  /** Texts before which the answer ends. */
  readonly stops: readonly string[];
  /** Whether the answer begins with its reasons. */
  readonly reasons: boolean;
};

/** The choice of a tool in the words of a protocol. */
export type ToolChoice = {
  readonly mode: Prompt['toolChoice'];
  /** The only tools that can be called; undefined for all. */
  readonly allowed?: readonly string[];
};

/** Leaves out the tools that a choice excludes. */
export function chooseTools(
  tools: readonly Tool[],
  { mode, allowed }: ToolChoice,
): Pick<Prompt, 'tools' | 'toolChoice'> {
  const chosen = allowed ? tools.filter(({ name }) => allowed.includes(name)) : tools;
  return { tools: chosen, toolChoice: mode };
}
