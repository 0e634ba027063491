import { suggestion } from '../catalog/nearest.ts';
import { describeValue } from '../profile/describe-value.ts';
import { expandText } from '../profile/expand.ts';
import { type ModelOperation, modelOperation, modelOperations, UsageError } from '../profile/profile.ts';

/** A model of `--model`. */
export interface GivenModel {
  readonly operation: ModelOperation;
  /** As it is given, with its variables. */
  readonly text: string;
  /** With its variables replaced. */
  readonly id: string;
}

/** The models of `--model OPERATION=ID`; throws UsageError with the remedy for one that makes no sense. */
export function readModelFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GivenModel[] {
  const models = flags.map((flag) => readModel(flag, environment));
  const twice = models.find(
    ({ operation }, index) => models.findIndex((other) => other.operation === operation) !== index,
  );
  if (twice) throw new UsageError(`--model ${twice.operation}=… is given twice.`);
  return models;
}

/** The IDs of models, by operation. */
export function modelIds(models: readonly GivenModel[]): Partial<Record<ModelOperation, string>> {
  return Object.fromEntries(models.map(({ operation, id }) => [operation, id]));
}

function readModel(flag: string, environment: Readonly<Record<string, string | undefined>>): GivenModel {
  const sign = flag.indexOf('=');
  const [name, text] = sign < 0 ? [flag, ''] : [flag.slice(0, sign), flag.slice(sign + 1)];
  if (text === '')
    throw new UsageError(`--model ${describeValue(flag)} is not OPERATION=ID, such as chat=gpt-4o.`);
  const operation = modelOperations.find((id) => id === name);
  if (!operation) {
    const calls = modelOperation(name);
    const remedy = calls
      ? ` It calls the model of ${calls}.`
      : suggestion(name, modelOperations) || ` Use ${modelOperations.join(', ')}.`;
    throw new UsageError(
      `--model ${describeValue(flag)}: what precedes "=" is not an operation that has a model.${remedy}`,
    );
  }
  const expanded = expandText(text, environment);
  if ('unset' in expanded)
    throw new UsageError(
      `--model ${flag} needs the environment variable ${expanded.unset}, which is not set.`,
    );
  return { operation, text, id: expanded.text };
}
