import { suggestion } from '../../../contract/nearest.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { expandText } from '../../profile/expand.ts';
import { type ModelOperation, modelOperation, modelOperations, UsageError } from '../../profile/profile.ts';
import { reporterNames } from '../../reporters/reporters.ts';

/** A flag that needs no parsing. */
export interface SharedFlag {
  readonly flags: string;
  readonly does: string;
  /** `once`: with a value, or absent; `several`: a list; `switch`: off unless it is given. */
  readonly takes: 'once' | 'several' | 'switch';
}

/** The flag that lets a profile take a variable of any name. */
const allowEnvFlag: SharedFlag = {
  flags: '--allow-env <name>',
  does: 'let the profile take this environment variable; those that begin with GATEWAY_ are always allowed; repeatable',
  takes: 'several',
};

/** The flags that say which gateway is meant. */
export const targetFlags: readonly SharedFlag[] = [
  { flags: '--base-url <url>', does: 'where it is; its key comes from GATEWAY_API_KEY', takes: 'once' },
  {
    flags: '--profile <file>',
    does: 'what is known of it (default: conformance.yaml, where there is one)',
    takes: 'once',
  },
  { flags: '--key-file <file>', does: 'a file that holds the valid key and nothing else', takes: 'once' },
  {
    flags: '--key <key>',
    does: 'the valid key; other users of this machine may see it, so prefer the environment',
    takes: 'once',
  },
  allowEnvFlag,
];

/** The flag of what every request carries. */
const headerFlag: SharedFlag = {
  flags: '--header <name: value>',
  does: 'send this header with every request, never a credential; ${NAME} in it is an environment variable; repeatable',
  takes: 'several',
};

/** The flags that say whom to trust. */
export const reachFlags: readonly SharedFlag[] = [
  { flags: '--ca <file>', does: 'certificates to trust beside those of Node, as PEM', takes: 'once' },
  { flags: '--insecure', does: 'trust any certificate; others may then read the key', takes: 'switch' },
];

/** The flags of every command that sends requests of its own to a gateway. */
export const gatewayFlags: readonly SharedFlag[] = [...targetFlags, headerFlag, ...reachFlags];

/** The flags of `run` that select what is sent. */
export const selectionFlags: readonly SharedFlag[] = [
  { flags: '--suite <name>', does: 'only this suite; several times', takes: 'several' },
  {
    flags: '--only <pattern>',
    does: 'only cases or requirements with this id, * is any text; several times',
    takes: 'several',
  },
  {
    flags: '--models <patterns>',
    does: 'also what a model can vary, for each listed model: all, or patterns between commas, * is any text',
    takes: 'once',
  },
];

/** The flags of `init`; `--output` has a default of its own. */
export const initFlags: readonly SharedFlag[] = [
  {
    flags: '--base-url <url>',
    does: 'the base URL of the gateway; the key comes from GATEWAY_API_KEY',
    takes: 'once',
  },
  {
    flags: '--profile <file>',
    does: 'an existing profile to extend; everything in it is kept',
    takes: 'once',
  },
  {
    flags: '--key-file <file>',
    does: 'a file that contains the valid key and nothing else',
    takes: 'once',
  },
  headerFlag,
  {
    flags: '--model <operation=id>',
    does: 'a model to call, such as chat=gpt-4o; of chat, responses, messages or generate; repeatable',
    takes: 'several',
  },
  {
    flags: '--force',
    does: 'replace an existing file, and write a profile even if nothing answered',
    takes: 'switch',
  },
  { flags: '--yes', does: 'ask no questions', takes: 'switch' },
  allowEnvFlag,
  ...reachFlags,
];

/** The flags of every command that judges what somebody else sent. */
export const trafficFlags: readonly SharedFlag[] = [
  {
    flags: '--strict-client',
    does: 'fail with 1 where a client breaks a `must` of its own',
    takes: 'switch',
  },
];

/** The flags of every command that listens for requests. */
export const listenFlags: readonly SharedFlag[] = [
  {
    flags: '--allow-host <name>',
    does: "also answer requests for this host; '*' for every host; repeatable",
    takes: 'several',
  },
];

/** The flags of every command that ends with a report. */
export const reportFlags: readonly SharedFlag[] = [
  {
    flags: '--reporter <name[=file]>',
    does: `${reporterNames.join(', ')}; to a file or stdout; several times`,
    takes: 'several',
  },
  {
    flags: '--verbose',
    does: 'show every case of a finding, its exchange, and what was observed',
    takes: 'switch',
  },
  { flags: '--strict', does: 'fail with 3 where anything was not applicable', takes: 'switch' },
  { flags: '--strict-should', does: 'fail with 1 where a `should` is not kept', takes: 'switch' },
  {
    flags: '--baseline <file>',
    does: 'known violations, each with a reason; fail where the list is wrong too',
    takes: 'once',
  },
  {
    flags: '--update-baseline',
    does: 'write what fails to the file of --baseline, and take out what no longer does',
    takes: 'switch',
  },
];

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
