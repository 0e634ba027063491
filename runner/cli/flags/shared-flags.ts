import { reporterNames } from '../../reporters/reporters.ts';
import type { Flag } from './help.ts';
import { modelFlag } from './model-flags.ts';

const profileFlag: Flag = {
  name: '--profile <FILE>',
  group: 'Target and keys',
  description: 'Target profile.',
  docs: 'See [The profile](profile.md).',
  default: '`./conformance.yaml`',
  takes: 'text',
  isMain: true,
};

export const keyFileFlag: Flag = {
  name: '--key-file <FILE>',
  group: 'Target and keys',
  description: 'File that contains the valid key and nothing else.',
  takes: 'text',
};

const keyFlag: Flag = {
  name: '--key <KEY>',
  group: 'Target and keys',
  description:
    'The valid key. Other users of this machine can see a key on the command line, so prefer `GATEWAY_API_KEY`.',
  default: '`keys.valid` of the profile, otherwise `GATEWAY_API_KEY`',
  takes: 'text',
};

export const allowEnvFlag: Flag = {
  name: '--allow-env <NAME>',
  group: 'Target and keys',
  description:
    'Allow the profile to refer to this environment variable. Variables whose names begin with `GATEWAY_` are always allowed. Repeatable.',
  takes: 'list',
};

export const headerFlag: Flag = {
  name: '--header <NAME: VALUE>',
  group: 'Target and keys',
  description:
    'Header to send with every request except those of `setup`, for example to name a tenant. A credential is not allowed. `${NAME}` in the value reads an environment variable. Repeatable.',
  docs: 'The header replaces a header of the profile with the same name.',
  takes: 'list',
  isMain: true,
};

/** Returns the flags that describe a gateway. `baseUrl` has the description and the default of `--base-url`. */
export function createTargetFlags(baseUrl: Pick<Flag, 'description' | 'default'>): Flag[] {
  return [
    { name: '--base-url <URL>', group: 'Target and keys', takes: 'text', isMain: true, ...baseUrl },
    profileFlag,
    keyFileFlag,
    keyFlag,
    allowEnvFlag,
  ];
}

/** The flags that describe a gateway to which the command sends requests. */
export const gatewayFlags: readonly Flag[] = [
  ...createTargetFlags({
    description:
      'Base URL of the gateway, without /v1. The key is read from `GATEWAY_API_KEY`, unless the profile or a flag sets the key.',
  }),
  headerFlag,
  modelFlag,
];

export const certificateFlags: readonly Flag[] = [
  {
    name: '--ca <FILE>',
    group: 'Network',
    description: 'File of PEM certificates to trust in addition to those of Node.js.',
    takes: 'text',
  },
  {
    name: '--insecure',
    group: 'Network',
    description:
      'Do not verify TLS certificates. Anyone on the network path can then impersonate the gateway and read the key.',
    takes: 'switch',
  },
];

export const strictClientFlag: Flag = {
  name: '--strict-client',
  group: 'Judging and baseline',
  description: 'Exit with 1 if a client violates a duty of level `must`.',
  docs: 'See [The duties of clients](traffic.md#the-duties-of-clients).',
  takes: 'switch',
  isMain: true,
};

export const clientFlag: Flag = {
  name: '--client <TEXT>',
  group: 'Judging and baseline',
  description:
    'Judge only requests whose `User-Agent` contains this text, in upper or lower case, such as `openai-python`.',
  default: 'all clients',
  takes: 'text',
};

export const writeProfileFlag: Flag = {
  name: '--write-profile <FILE>',
  group: 'Reports',
  description:
    'Write a profile with the models, the billing-type paths and the settings that the traffic shows, but without keys.',
  docs: 'The file must not exist yet. See [What the traffic shows](traffic.md#what-the-traffic-shows).',
  takes: 'text',
};

export const judgingFlags: readonly Flag[] = [
  {
    name: '--baseline <FILE>',
    group: 'Judging and baseline',
    description:
      'File of accepted violations, each with a reason. An accepted violation does not fail the run. A stale entry fails the run.',
    docs: 'See [Accepted violations](baseline.md).',
    takes: 'text',
    isMain: true,
  },
  {
    name: '--update-baseline',
    group: 'Judging and baseline',
    description:
      'Add violations, and inconclusive checks of level `must`, to the file of `--baseline`, and remove entries that are stale or match no planned check.',
    docs: 'With `--strict-should`, warnings are also added. With `--strict`, checks that are not applicable are also added, except checks that depend on a violated requirement. An expired entry that still applies is kept. After a run that was stopped, no inconclusive checks are added.',
    takes: 'switch',
  },
  {
    name: '--strict-should',
    group: 'Judging and baseline',
    description:
      'Also exit with 1 on warnings that are not in the baseline. A warning is a requirement of level `should` that is not satisfied.',
    takes: 'switch',
  },
  {
    name: '--strict',
    group: 'Judging and baseline',
    description: 'Exit with 3 if a check was not applicable and the baseline does not accept this outcome.',
    docs: 'Checks that depend on a violated requirement do not count.',
    takes: 'switch',
  },
];

export const reportFlags: readonly Flag[] = [
  {
    name: '--reporter <NAME[=FILE]>',
    group: 'Reports',
    description: `Report to write to a file or to stdout: ${reporterNames.join(', ')}. Repeatable.`,
    docs: 'At most one report goes to stdout. See [Reports](reports.md#formats).',
    default: '`terminal`',
    takes: 'list',
    isMain: true,
  },
  {
    name: '--verbose',
    group: 'Reports',
    description:
      'Print the full report: every case of each cause, the exchange of each example, and all observations.',
    takes: 'switch',
  },
];
