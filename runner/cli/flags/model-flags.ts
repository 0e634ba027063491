import { findRepeated, formatList } from '../../../common/lists.ts';
import { toMapping } from '../../../common/mapping.ts';
import { formatSuggestion } from '../../../common/nearest.ts';
import { isOperationId } from '../../catalog/operations.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { expandText } from '../../profile/expand.ts';
import {
  findModelOperation,
  type ModelLists,
  type ModelOperation,
  type ModelRole,
  modelOperations,
  modelRoleNames,
  UsageError,
} from '../../profile/profile.ts';
import { list } from '../../run/define-option.ts';

export const modelFlag = list({
  flag: '--model <OPERATION[.ROLE]=ID>',
  group: 'Target and keys',
  description:
    'Model to call, such as chat=gpt-4o. OPERATION is chat, responses, messages or generate. Repeatable.',
  docs: 'The model replaces the `good` model of the profile. With a role of [the profile](profile.md#the-file), as in `chat.textOnly=ID`, the models replace those of this role. `init` also writes them into the profile.',
  completes: modelOperations.flatMap((operation) =>
    modelRoleNames.map((role) => `${operation}${role === 'good' ? '' : `.${role}`}=`),
  ),
  default: 'models of the profile, otherwise of `GET /v1/models`',
  isMain: true,
});

export interface ModelFlag {
  readonly operation: ModelOperation;
  readonly role: ModelRole;
  /** The model ID from the command line, with variables. */
  readonly text: string;
  /** The model ID with the variables replaced. */
  readonly id: string;
}

/**
 * Reads the values of `--model OPERATION=ID` and `--model OPERATION.ROLE=ID`. Throws a `UsageError` for an invalid
 * value, a second good model of an operation, a repeated model of another role, or a variable that is unset or empty.
 */
export function readModelFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ModelFlag[] {
  const models = flags.map((flag) => readModel(flag, environment));
  const twice = findRepeated(
    models.map(({ operation, role, id }) => (role === 'good' ? operation : `${operation}.${role}=${id}`)),
  );
  if (twice !== undefined)
    throw new UsageError(`--model ${twice} is set more than once. Keep only one of the flags.`);
  return models;
}

/** Returns the model IDs by operation and role. */
export function resolveModelIds(models: readonly ModelFlag[]): Partial<Record<ModelOperation, ModelLists>> {
  const ids: Partial<Record<ModelOperation, Partial<Record<ModelRole, readonly string[]>>>> = {};
  for (const { operation, role, id } of models) {
    const roles = ids[operation] ?? {};
    ids[operation] = { ...roles, [role]: [...(roles[role] ?? []), id] };
  }
  return ids;
}

/** Returns the property `models` of a profile with the models of the flags, which replace those of the same role. */
export function replaceModels(
  existing: Readonly<Record<string, unknown>>,
  models: readonly ModelFlag[],
): Record<string, unknown> {
  const asTexts = resolveModelIds(models.map((model) => ({ ...model, id: model.text })));
  const changed = Object.entries(asTexts).map(([operation, roles]) => {
    const before = existing[operation];
    return [
      operation,
      {
        ...(typeof before === 'string' ? { good: before } : toMapping(before)),
        ...Object.fromEntries(
          Object.entries(roles).map(([role, texts]) => [role, texts.length === 1 ? texts[0] : texts]),
        ),
      },
    ];
  });
  return { ...existing, ...Object.fromEntries(changed) };
}

function readModel(flag: string, environment: Readonly<Record<string, string | undefined>>): ModelFlag {
  const sign = flag.indexOf('=');
  const [kind, text] = sign < 0 ? [flag, ''] : [flag.slice(0, sign), flag.slice(sign + 1)];
  if (text === '')
    throw new UsageError(
      `Invalid value for --model: ${describeValue(flag)}. Expected OPERATION=ID, such as chat=gpt-4o.`,
    );
  const dot = kind.indexOf('.');
  const [name, roleName] = dot < 0 ? [kind, 'good'] : [kind.slice(0, dot), kind.slice(dot + 1)];
  const operation = modelOperations.find((id) => id === name);
  const role = modelRoleNames.find((id) => id === roleName);
  if (!operation || !role) {
    const problem = operation
      ? `unknown role.${formatSuggestion(roleName, modelRoleNames) || ` Expected ${formatList(modelRoleNames, 'or')}.`}`
      : describeUnknown(name);
    throw new UsageError(`--model ${describeValue(flag)}: ${problem}`);
  }
  const expanded = expandText(text, environment);
  if ('unset' in expanded)
    throw new UsageError(
      `--model ${flag} needs the environment variable ${expanded.unset}, which is unset or empty. Set the variable, or remove the flag.`,
    );
  return { operation, role, text, id: expanded.text };
}

function describeUnknown(name: string): string {
  const calls = findModelOperation(name);
  const expected = ` Expected ${formatList(modelOperations, 'or')}.`;
  if (calls) return `${name} uses the model of ${calls}. Use --model ${calls}=ID.`;
  if (isOperationId(name)) return `the operation has no model.${expected}`;
  return `unknown operation.${formatSuggestion(name, modelOperations) || expected}`;
}
