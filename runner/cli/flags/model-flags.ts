import { findRepeated, formatList } from '../../../common/lists.ts';
import { formatSuggestion } from '../../../common/nearest.ts';
import { isOperationId } from '../../catalog/operations.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { expandText } from '../../profile/expand.ts';
import {
  findModelOperation,
  type ModelOperation,
  modelOperations,
  UsageError,
} from '../../profile/profile.ts';
import { list } from '../../run/define-option.ts';

export const modelFlag = list({
  flag: '--model <OPERATION=ID>',
  group: 'Target and keys',
  description:
    'Model to call, such as chat=gpt-4o. OPERATION is chat, responses, messages or generate. Repeatable.',
  docs: 'The model replaces the `good` model of the profile. `init` also writes it into the profile.',
  default: 'models of the profile, otherwise of `GET /v1/models`',
  isMain: true,
});

export interface ModelFlag {
  readonly operation: ModelOperation;
  /** The model ID from the command line, with variables. */
  readonly text: string;
  /** The model ID with the variables replaced. */
  readonly id: string;
}

/**
 * Reads the values of `--model OPERATION=ID`. Throws a `UsageError` for an invalid value, a repeated operation, or a
 * variable that is unset or empty.
 */
export function readModelFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ModelFlag[] {
  const models = flags.map((flag) => readModel(flag, environment));
  const twice = findRepeated(models.map(({ operation }) => operation));
  if (twice !== undefined)
    throw new UsageError(`--model ${twice} is set more than once. Keep only one of the flags.`);
  return models;
}

export function resolveModelIds(models: readonly ModelFlag[]): Partial<Record<ModelOperation, string>> {
  return Object.fromEntries(models.map(({ operation, id }) => [operation, id]));
}

function readModel(flag: string, environment: Readonly<Record<string, string | undefined>>): ModelFlag {
  const sign = flag.indexOf('=');
  const [name, text] = sign < 0 ? [flag, ''] : [flag.slice(0, sign), flag.slice(sign + 1)];
  if (text === '')
    throw new UsageError(
      `Invalid value for --model: ${describeValue(flag)}. Expected OPERATION=ID, such as chat=gpt-4o.`,
    );
  const operation = modelOperations.find((id) => id === name);
  if (!operation) {
    const calls = findModelOperation(name);
    const expected = ` Expected ${formatList(modelOperations, 'or')}.`;
    const problem = calls
      ? `${name} uses the model of ${calls}. Use --model ${calls}=ID.`
      : isOperationId(name)
        ? `the operation has no model.${expected}`
        : `unknown operation.${formatSuggestion(name, modelOperations) || expected}`;
    throw new UsageError(`--model ${describeValue(flag)}: ${problem}`);
  }
  const expanded = expandText(text, environment);
  if ('unset' in expanded)
    throw new UsageError(
      `--model ${flag} needs the environment variable ${expanded.unset}, which is unset or empty. Set the variable, or remove the flag.`,
    );
  return { operation, text, id: expanded.text };
}
