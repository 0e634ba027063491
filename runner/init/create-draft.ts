import { pluralize } from '../../common/lists.ts';
import { knownOperationIds, type OperationId, type Operations, operationIds } from '../catalog/operations.ts';
import { plan } from '../plan/plan.ts';
import { modelOperations, type Profile } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { listWorkingOperations, type ProbeResult } from '../run/probe.ts';
import {
  countMissing,
  type DraftLine,
  type DraftSection,
  describeBriefly,
  describeSuccess,
  findTestable,
  formatDraft,
  type TestableIds,
} from './format-draft.ts';
import {
  joinProfile,
  listOptionalProperties,
  type OptionalProperty,
  optionalKeys,
  type StatedProperty,
  settings,
} from './optional-properties.ts';

export interface DraftSource {
  readonly baseUrl: string;
  /** The valid key, whose form determines which cases are applicable. The draft does not contain the key. */
  readonly key: string;
  /** The properties of the draft that do not depend on responses of the gateway. */
  readonly stated: readonly StatedProperty[];
  readonly probed: ProbeResult;
}

/** The draft of a profile. A run can test `judged` with the draft, and `whole` with all properties. */
export interface Draft {
  readonly text: string;
  readonly judged: TestableIds;
  readonly whole: TestableIds;
}

type PlainProperty = Pick<DraftLine, 'path' | 'value'>;

/**
 * Creates a profile with the stated properties, the properties that the probe found, and examples. Throws a
 * `DataFileError` if a stated property is invalid.
 */
export function createDraft(promise: GatewayPromise, found: DraftSource): Draft {
  const { probed } = found;
  const properties = [...found.stated, ...foundProperties(promise.operations, found)];
  const taken = new Set(properties.map(({ path }) => path.join('.')));
  const isTaken = (path: readonly string[]): boolean =>
    properties.some((property) => path.every((name, index) => property.path[index] === name));
  const offered = listOptionalProperties(promise.operations).filter(({ path }) => !isTaken(path));
  const measure = createMeasure(promise, found, properties, offered);
  const whole = measure(offered);
  const judged = measure([], (id) => ['succeeded', 'presumed'].includes(probed.operations[id].kind));
  const need = (addition: OptionalProperty): string => {
    const without = measure(offered.filter(({ path }) => path !== addition.path));
    return describeNeed(
      addition.about,
      countMissing(whole.cases, without.cases),
      countMissing(whole.requirements, without.requirements),
    );
  };
  const examples = [
    ...listModelsToName(probed, taken),
    ...offered
      .filter(
        ({ path: [group, id] }) =>
          group !== 'models' || listWorkingOperations(probed).some((name) => name === id),
      )
      .map((addition) => createExample(addition, [describeAbsence(probed, addition.path), need(addition)])),
    ...settings
      .filter(({ path: [group] }) => !properties.some(({ path }) => path[0] === group))
      .map((setting) => createExample(setting, [setting.about])),
  ];
  const inForce = properties.map(
    ({ path, value }): DraftLine => ({
      path,
      value,
      inForce: true,
      comment: value === null ? 'not offered' : describeProperty(path, found),
    }),
  );
  const lines = [...inForce, ...examples];
  const grouped = sections.map(({ about, groups }): DraftSection => {
    const own = groups.flatMap((group) => groupByName(lines.filter(({ path }) => path[0] === group)));
    return { about: own.length === 0 ? [] : about, lines: own };
  });
  return { text: formatDraft(formatHead(found, judged, whole), grouped), judged, whole };
}

/** The sections of the profile. Every property of the schema is in one of these sections. */
const sections: readonly { readonly about: readonly string[]; readonly groups: readonly string[] }[] = [
  { about: [], groups: ['baseUrl'] },
  {
    about: ['API keys. Never write a key into this file: ${NAME} reads an environment variable.'],
    groups: ['keys'],
  },
  { about: ['The models to call, by operation.'], groups: ['models'] },
  {
    about: [
      'The operations whose paths the specification leaves open. For an operation without a line, the',
      'default path, if any, is tried. `null` means that the gateway does not offer the operation.',
    ],
    groups: ['operations'],
  },
  {
    about: ['IDs of request records, and the rate limit of the billing-type endpoints.'],
    groups: ['records', 'rateLimit'],
  },
  {
    about: ['The form of the requests to this gateway, and their time limits.'],
    groups: ['headers', 'bodies', 'versionHeader', 'timeFormat', 'stream', 'timeouts'],
  },
  { about: ['The calls that create and delete keys and change balances during a run.'], groups: ['setup'] },
  {
    about: ['What the gateway promises instead of the specification, and in addition.'],
    groups: ['deviations', 'requirements', 'scenarios'],
  },
  { about: ['Defaults of the flags of `run`.'], groups: ['defaults'] },
];

function foundProperties(operations: Operations, { probed, stated }: DraftSource): StatedProperty[] {
  const isStated = (path: readonly string[]): boolean =>
    stated.some((property) => property.path.join('.') === path.join('.'));
  const models = modelOperations.flatMap((id) => {
    const { model } = probed.operations[id];
    // A profile would expand `${NAME}` in a model ID, so such an ID is omitted.
    return model === undefined || model.includes('${')
      ? []
      : [{ path: ['models', id, 'good'], value: model }];
  });
  const bound = operationIds.flatMap((id) => {
    const { request, stated: by } = operations[id];
    return by === 'guess' && probed.operations[id].kind === 'succeeded'
      ? [{ path: ['operations', id], value: request }]
      : [];
  });
  return [...models, ...bound]
    .filter(({ path }) => !isStated(path))
    .map((property) => ({ ...property, expanded: property.value }));
}

type Measure = (
  examples: readonly OptionalProperty[],
  isCallable?: (id: OperationId) => boolean,
) => TestableIds;

/** Creates a function that finds the testable IDs for a profile of `properties` and the given examples. */
function createMeasure(
  promise: GatewayPromise,
  { baseUrl, key }: DraftSource,
  properties: readonly StatedProperty[],
  offered: readonly OptionalProperty[],
): Measure {
  const plain = properties.flatMap(({ path, value, expanded }): PlainProperty[] => {
    // Only the presence of an optional key matters here, not its value, so variables in keys are not replaced.
    if (path[0] === 'keys') return [{ path, value }];
    // The promise has the contents of these files, whose paths start at the folder of the profile.
    if (path[0] === 'requirements' || path[0] === 'scenarios') return [];
    return expanded === undefined ? [] : [{ path, value: expanded }];
  });
  const profileWith = (examples: readonly OptionalProperty[]): Profile => {
    const own: PlainProperty[] = [...plain, ...examples.map(({ path, example: value }) => ({ path, value }))];
    const has = (id: string): boolean =>
      own.some(({ path: [group, name] }) => group === 'operations' && name === id);
    const absent = knownOperationIds
      .filter((id) => promise.operations[id].stated !== 'spec' && !has(id))
      .map((id): PlainProperty => ({ path: ['operations', id], value: null }));
    const fixed: PlainProperty[] = [
      { path: ['baseUrl'], value: baseUrl },
      { path: ['keys', 'valid'], value: key },
    ];
    return parseProfile(joinProfile([...own, ...absent, ...fixed]), promise);
  };
  const whole = plan({ ...promise, profile: profileWith(offered) });
  return (examples, isCallable) => findTestable(whole, profileWith(examples), isCallable);
}

function createExample({ path, example: value }: OptionalProperty, comment: readonly string[]): DraftLine {
  return { path, value, inForce: false, comment: comment.filter((part) => part !== '').join(' ') };
}

function groupByName(lines: readonly DraftLine[]): DraftLine[] {
  return [...new Set(lines.map(({ path }) => path[1]))].flatMap((name) =>
    lines.filter(({ path }) => path[1] === name),
  );
}

function listModelsToName({ operations }: ProbeResult, taken: ReadonlySet<string>): DraftLine[] {
  return modelOperations
    .filter(
      (id) => !taken.has(`models.${id}.good`) && !['not-offered', 'absent'].includes(operations[id].kind),
    )
    .map((id) =>
      createExample({ path: ['models', id, 'good'], example: 'MODEL', about: '' }, [
        'a model that this operation can call',
      ]),
    );
}

function describeAbsence(probed: ProbeResult, [group, id]: readonly string[]): string {
  const guessed = (['messages', 'generate', 'streamGenerate'] as const).find((name) => name === id);
  return group === 'operations' && guessed !== undefined ? describeBriefly(probed, guessed) : '';
}

function describeProperty([group, name = '', role]: readonly string[], { probed }: DraftSource): string {
  const operation = operationIds.find((id) => id === name);
  switch (group) {
    case 'keys':
      return optionalKeys.find((key) => key.role === name)?.about ?? '';
    case 'operations':
      return operation ? describeBriefly(probed, operation) : '';
    case 'models':
      if (!operation || role !== 'good') return '';
      return probed.operations[operation].kind === 'succeeded'
        ? 'called successfully'
        : describeBriefly(probed, operation);
    default:
      return '';
  }
}

function describeNeed(about: string, cases: number, requirements: number): string {
  const counts = [
    pluralize(cases, 'case'),
    ...(requirements === 0 ? [] : [pluralize(requirements, 'requirement')]),
  ];
  return [about, ...(cases === 0 ? [] : [`(${counts.join(', ')})`])].filter((part) => part !== '').join(' ');
}

function formatHead({ baseUrl, probed }: DraftSource, judged: TestableIds, whole: TestableIds): string[] {
  const worked = listWorkingOperations(probed);
  return [
    'yaml-language-server: $schema=node_modules/model-gateway-conformance/specs/schemas/profile.schema.json',
    '',
    `The profile of ${baseUrl}, written by \`conformance init\`.`,
    'Valid requests to these operations succeeded:',
    ...worked.map(
      (id) =>
        `  ${id.padEnd(14)}  ${describeSuccess({ ...probed.operations[id], streamFailure: undefined })}`,
    ),
    '',
    `With this profile, ${judged.cases.size} of ${whole.cases.size} cases and ${judged.requirements.size} of ${whole.requirements.size} requirements can be tested.`,
    '',
    'Commented properties are examples. To test more, remove the `# ` and replace the value with a value of your',
    'gateway. The numbers in brackets count the cases and requirements that need the property.',
  ];
}
