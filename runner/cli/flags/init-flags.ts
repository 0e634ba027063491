import type { Flag } from './help.ts';
import { modelFlag } from './model-flags.ts';
import { allowEnvFlag, certificateFlags, headerFlag, keyFileFlag } from './shared-flags.ts';

export const initFlags: readonly Flag[] = [
  {
    name: '--base-url <URL>',
    group: 'Target and keys',
    description:
      'Base URL of the gateway, without /v1. The key is read from `GATEWAY_API_KEY`, unless the profile or a flag sets the key.',
    takes: 'text',
    isMain: true,
  },
  {
    name: '--profile <FILE>',
    group: 'Target and keys',
    description:
      'Existing profile to extend. `init` keeps the properties of this profile that no flag replaces.',
    takes: 'text',
    isMain: true,
  },
  keyFileFlag,
  allowEnvFlag,
  {
    ...headerFlag,
    docs: 'The header is written into the profile, with `${NAME}` unchanged.',
  },
  modelFlag,
  {
    name: '--output <FILE>',
    group: 'The profile',
    description: 'Profile to write.',
    default: '`conformance.yaml`',
    takes: 'text',
    initial: 'conformance.yaml',
    isMain: true,
  },
  {
    name: '--force',
    group: 'The profile',
    description: 'Replace an existing file.',
    takes: 'switch',
    isMain: true,
  },
  {
    name: '--yes',
    group: 'The profile',
    description: 'Ask no questions.',
    takes: 'switch',
    isMain: true,
  },
  ...certificateFlags,
];
