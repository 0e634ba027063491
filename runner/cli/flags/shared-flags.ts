import { isScope, scopes } from '../../judge/severity.ts';
import { comparisonReporterNames, reporterNames } from '../../reporters/reporters.ts';
import {
  list,
  type Option,
  type Options,
  type OptionTexts,
  oneOf,
  text,
  toggle,
  value,
} from '../../run/define-option.ts';
import { modelFlag } from './model-flags.ts';

export const keyFileFlag = text({
  flag: '--key-file <FILE>',
  group: 'Target and keys',
  description: 'File that contains the valid key and nothing else.',
});

export const allowEnvFlag = list({
  flag: '--allow-env <NAME>',
  group: 'Target and keys',
  description:
    'Allow the profile to refer to this environment variable. Variables whose names begin with `GATEWAY_` are always allowed. Repeatable.',
});

/** Returns the flag for the base URL with a description and a default. */
export function baseUrlFlag(texts: Pick<OptionTexts, 'description' | 'default'>): Option<string | undefined> {
  return text({ flag: '--base-url <URL>', group: 'Target and keys', isMain: true, ...texts });
}

/** The flags that describe a gateway, except its base URL. */
export const targetFlags = {
  profile: text({
    flag: '--profile <FILE>',
    group: 'Target and keys',
    description: 'Target profile.',
    docs: 'See [The profile](profile.md).',
    default: '`./conformance.yaml`',
    isMain: true,
  }),
  keyFile: keyFileFlag,
  key: text({
    flag: '--key <KEY>',
    group: 'Target and keys',
    description:
      'The valid key. Other users of this machine can see a key on the command line, so prefer `GATEWAY_API_KEY`.',
    default: '`keys.valid` of the profile, otherwise `GATEWAY_API_KEY`',
  }),
  allowEnv: allowEnvFlag,
} satisfies Options;

/** The profile of a command that sends nothing, and needs only what the profile adds to the specification. */
export const ownDataFlag = text({
  flag: '--profile <FILE>',
  group: 'Target and keys',
  description: 'Profile with `requirements` and `scenarios` of your own to include.',
  docs: 'See [Own requirements](own-requirements.md).',
  default: '`./conformance.yaml`',
  isMain: true,
});

export const headerFlag = list({
  flag: '--header <NAME: VALUE>',
  group: 'Target and keys',
  description:
    'Header to send with every request except those of `setup`, for example to name a tenant. A credential is not allowed. `${NAME}` in the value reads an environment variable. Repeatable.',
  docs: 'The header replaces a header of the profile with the same name.',
  isMain: true,
});

/** The base URL of a gateway to which the command sends requests. */
export const gatewayUrlFlag = baseUrlFlag({
  description:
    'Base URL of the gateway, without /v1. The key is read from `GATEWAY_API_KEY`, unless the profile or a flag sets the key.',
});

/** The flags that describe a gateway to which the command sends requests. */
export const gatewayFlags = {
  baseUrl: gatewayUrlFlag,
  ...targetFlags,
  header: headerFlag,
  model: modelFlag,
} satisfies Options;

export const certificateFlags = {
  ca: text({
    flag: '--ca <FILE>',
    group: 'Network',
    description: 'File of PEM certificates to trust in addition to those of Node.js.',
    isOnlyFlag: true,
  }),
  insecure: toggle({
    flag: '--insecure',
    group: 'Network',
    description:
      'Do not verify TLS certificates. Anyone on the network path can then impersonate the gateway and read the key.',
    isOnlyFlag: true,
  }),
} satisfies Options;

/** The flags of commands that judge the traffic of clients. */
export const clientFlags = {
  client: text({
    flag: '--client <TEXT>',
    group: 'Judging and baseline',
    description:
      'Judge only requests whose `User-Agent` contains this text, in upper or lower case, such as `openai-python`.',
    default: 'all clients',
  }),
  strictClient: toggle({
    flag: '--strict-client',
    group: 'Judging and baseline',
    description: 'Exit with 1 if a client violates a duty of level `must`.',
    docs: 'See [The duties of clients](traffic.md#the-duties-of-clients).',
    isMain: true,
  }),
} satisfies Options;

/** The flags of commands that create a report: how it is judged, and where it is written. */
export const reportFlags = {
  baseline: text({
    flag: '--baseline <FILE>',
    group: 'Judging and baseline',
    description:
      'File of accepted violations, each with a reason. An accepted violation does not fail the run. A stale entry fails the run.',
    docs: 'See [Accepted violations](baseline.md).',
    isMain: true,
  }),
  updateBaseline: toggle({
    flag: '--update-baseline',
    group: 'Judging and baseline',
    description:
      'Add violations, and inconclusive checks of level `must`, to the file of `--baseline`, and remove entries that are stale or match no planned check.',
    docs: 'With `--strict-should`, warnings are also added. With `--strict`, checks that are not applicable are also added, except checks that depend on a violated requirement. An expired entry that still applies is kept. After a run that was stopped, no inconclusive checks are added.',
    isOnlyFlag: true,
  }),
  failOn: value(oneOf(Object.keys(scopes).filter(isScope)), {
    flag: '--fail-on <SCOPE>',
    group: 'Judging and baseline',
    description:
      'Let only violations of this severity or a higher one fail the run: `access`, `valid`, `invalid`, `server`, `status`, `json` or `type`. The others are counted as not in scope.',
    docs: 'See [Results and reports](reports.md#limit-what-fails-a-run).',
    default: 'every violation fails the run',
    completes: Object.keys(scopes),
  }),
  strictShould: toggle({
    flag: '--strict-should',
    group: 'Judging and baseline',
    description:
      'Also exit with 1 on warnings that are not in the baseline. A warning is a requirement of level `should` that is not satisfied.',
  }),
  strict: toggle({
    flag: '--strict',
    group: 'Judging and baseline',
    description: 'Exit with 3 if a check was not applicable and the baseline does not accept this outcome.',
    docs: 'Checks that depend on a violated requirement do not count.',
  }),
  reporter: list({
    flag: '--reporter <NAME[=FILE]>',
    group: 'Reports',
    description: `Report to write to a file or to stdout: ${reporterNames.join(', ')}. Repeatable.`,
    docs: 'At most one report goes to stdout. See [Reports](reports.md#formats).',
    completes: reporterNames.flatMap((name) => [name, `${name}=`]),
    default: '`terminal`',
    isMain: true,
  }),
  open: toggle({
    flag: '--open',
    group: 'Reports',
    description:
      'Open the HTML report in the browser: the file of `--reporter html=FILE`, otherwise `.conformance/report.html`.',
    docs: 'In CI, or without a display, only the path is printed.',
  }),
  verbose: toggle({
    flag: '--verbose',
    group: 'Reports',
    description:
      'Print the full report: every case of each cause, the exchange of each example, and all observations.',
  }),
} satisfies Options;

/** The flags of a command that only compares reports. */
export const comparisonFlags = {
  reporter: list({
    flag: '--reporter <NAME[=FILE]>',
    group: 'Reports',
    description: `Comparison to write to a file or to stdout: ${comparisonReporterNames.join(', ')}. Repeatable.`,
    docs: 'At most one of them goes to stdout.',
    completes: comparisonReporterNames.flatMap((name) => [name, `${name}=`]),
    default: '`terminal`',
    isMain: true,
  }),
  verbose: toggle({
    flag: '--verbose',
    group: 'Reports',
    description: 'Print all cases, places and differences, the responses of good changes, and curl lines.',
  }),
} satisfies Options;
