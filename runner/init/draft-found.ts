import type { Catalog } from '../catalog/catalog.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import { modelOperations } from '../profile/profile.ts';
import { profileOf } from '../profile/read-profile.ts';
import { answered, type ProbeResult } from '../run/probe.ts';
import { pluralize } from '../text/lists.ts';
import {
  countMissing,
  type DraftLine,
  type DraftSection,
  describeBriefly,
  describeSuccess,
  draftProfile,
  type Judged,
  judgedWith,
} from './draft-profile.ts';
import {
  type Addition,
  additions,
  optionalKeys,
  profileOfMembers,
  type StatedMember,
  settings,
} from './optional-members.ts';

/** What a profile is drafted from. */
export interface Found {
  readonly baseUrl: string;
  /** The valid key, whose form decides what can be sent; it never gets into the text. */
  readonly key: string;
  /** What an existing profile, the flags and the user state. All of it gets into the text. */
  readonly stated: readonly StatedMember[];
  readonly probed: ProbeResult;
}

/** A drafted profile, and how much of the suite a run with it can test. */
export interface Draft {
  readonly text: string;
  readonly judged: Judged;
  readonly whole: Judged;
}

type Member = Pick<DraftLine, 'path' | 'value'>;

/** A commented profile with what is stated, what was found, and what could be added; it never has a key in it. */
export function draftFound(catalog: Catalog, found: Found): Draft {
  const { probed } = found;
  const members = [...found.stated, ...foundMembers(catalog, found)];
  const taken = new Set(members.map(({ path }) => path.join('.')));
  const offered = additions(catalog.operations).filter(({ path }) => !taken.has(path.join('.')));
  const measure = makeMeasure(catalog, found, members);
  const whole = measure(offered);
  const judged = measure([], (id) => ['succeeded', 'presumed'].includes(probed.operations[id].kind));
  const need = (addition: Addition): string => {
    const without = measure(offered.filter(({ path }) => path !== addition.path));
    return describeNeed(
      addition.about,
      countMissing(whole.cases, without.cases),
      countMissing(whole.requirements, without.requirements),
    );
  };
  const examples = [
    ...modelsToName(probed, taken),
    ...offered
      .filter(({ path: [group, id] }) => group !== 'models' || answered(probed).some((name) => name === id))
      .map((addition) => example(addition, [whyAbsent(probed, addition.path), need(addition)])),
    ...settings
      .filter(({ path: [group] }) => !members.some(({ path }) => path[0] === group))
      .map((setting) => example(setting, [setting.about])),
  ];
  const inForce = members.map(
    ({ path, value }): DraftLine => ({
      path,
      value,
      inForce: true,
      comment: value === null ? 'not offered' : describeMember(path, found),
    }),
  );
  const lines = [...inForce, ...examples];
  const grouped = sections.map(({ about, groups }): DraftSection => {
    const own = groups.flatMap((group) => byMember(lines.filter(({ path }) => path[0] === group)));
    return { about: own.length === 0 ? [] : about, lines: own };
  });
  return { text: draftProfile(head(found, judged, whole), grouped), judged, whole };
}

/** The members of the profile, by section. Every member of the schema is in one of them. */
const sections: readonly { readonly about: readonly string[]; readonly groups: readonly string[] }[] = [
  { about: [], groups: ['baseUrl'] },
  {
    about: ['API keys. Never write a key into this file: ${NAME} reads an environment variable.'],
    groups: ['keys'],
  },
  { about: ['The models to call, by operation.'], groups: ['models'] },
  {
    about: [
      'The operations whose paths the specification leaves open. The usual path is tried for one without a',
      'line here; `null` means that the gateway does not offer it.',
    ],
    groups: ['operations'],
  },
  {
    about: ['IDs of request records, and the frequency limit of the billing-type operations.'],
    groups: ['records', 'rateLimit'],
  },
  {
    about: ['What the requests to this gateway look like.'],
    groups: ['headers', 'bodies', 'versionHeader', 'timeFormat', 'stream'],
  },
];

/** What valid requests showed and nothing states yet. */
function foundMembers(catalog: Catalog, { probed, stated }: Found): StatedMember[] {
  const isStated = (path: readonly string[]): boolean =>
    stated.some((member) => member.path.join('.') === path.join('.'));
  const models = modelOperations.flatMap((id) => {
    const { model } = probed.operations[id];
    // A profile would replace `${NAME}` by a variable.
    return model === undefined || model.includes('${')
      ? []
      : [{ path: ['models', id, 'good'], value: model }];
  });
  const operations = operationIds.flatMap((id) => {
    const { request, stated: by } = catalog.operations[id];
    return by === 'guess' && probed.operations[id].kind === 'succeeded'
      ? [{ path: ['operations', id], value: request }]
      : [];
  });
  return [...models, ...operations]
    .filter(({ path }) => !isStated(path))
    .map((member) => ({ ...member, expanded: member.value }));
}

type Measure = (examples: readonly Addition[], isCallable?: (id: OperationId) => boolean) => Judged;

/** Counts what can be tested with the members in force and some examples, of the operations that can be called. */
function makeMeasure(catalog: Catalog, { baseUrl, key }: Found, members: readonly StatedMember[]): Measure {
  const plain = members.flatMap(({ path, value, expanded }): Member[] => {
    // Which keys the environment will have is for the user to say, and which key it is makes no difference here.
    if (path[0] === 'keys') return [{ path, value }];
    return expanded === undefined ? [] : [{ path, value: expanded }];
  });
  return (examples, isCallable) => {
    const own: Member[] = [...plain, ...examples.map(({ path, example: value }) => ({ path, value }))];
    const has = (id: string): boolean =>
      own.some(({ path: [group, name] }) => group === 'operations' && name === id);
    const absent = operationIds
      .filter((id) => catalog.operations[id].stated !== 'spec' && !has(id))
      .map((id): Member => ({ path: ['operations', id], value: null }));
    const fixed: Member[] = [
      { path: ['baseUrl'], value: baseUrl },
      { path: ['keys', 'valid'], value: key },
    ];
    return judgedWith(
      catalog,
      profileOf(profileOfMembers([...own, ...absent, ...fixed]), catalog),
      isCallable,
    );
  };
}

function example({ path, example: value }: Addition, comment: readonly string[]): DraftLine {
  return { path, value, inForce: false, comment: comment.filter((part) => part !== '').join(' ') };
}

/** The lines of a group with those of one member after each other. */
function byMember(lines: readonly DraftLine[]): DraftLine[] {
  return [...new Set(lines.map(({ path }) => path[1]))].flatMap((name) =>
    lines.filter(({ path }) => path[1] === name),
  );
}

/** Operations that have no model yet, and for which one must be named. */
function modelsToName({ operations }: ProbeResult, taken: ReadonlySet<string>): DraftLine[] {
  return modelOperations
    .filter(
      (id) => !taken.has(`models.${id}.good`) && !['not-offered', 'absent'].includes(operations[id].kind),
    )
    .map((id) =>
      example({ path: ['models', id, 'good'], example: 'MODEL', about: '' }, [
        'name a model that this operation can call',
      ]),
    );
}

function whyAbsent(probed: ProbeResult, [group, id]: readonly string[]): string {
  const guessed = (['messages', 'generate', 'streamGenerate'] as const).find((name) => name === id);
  return group === 'operations' && guessed !== undefined ? describeBriefly(probed, guessed) : '';
}

/** The comment of a member in force. */
function describeMember([group, name = '', role]: readonly string[], { probed }: Found): string {
  const operation = operationIds.find((id) => id === name);
  switch (group) {
    case 'keys':
      return optionalKeys.find((key) => key.role === name)?.about ?? '';
    case 'operations':
      return operation ? describeBriefly(probed, operation) : '';
    case 'models':
      if (!operation || role !== 'good') return '';
      return probed.operations[operation].kind === 'succeeded'
        ? 'called with success'
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

function head({ baseUrl, probed }: Found, judged: Judged, whole: Judged): string[] {
  const worked = answered(probed);
  return [
    'yaml-language-server: $schema=node_modules/model-gateway-conformance/specs/schemas/profile.schema.json',
    '',
    `The profile of ${baseUrl}, written by \`conformance init\`.`,
    ...(worked.length === 0
      ? ['No operation answered a valid request with success.']
      : [
          'These operations answered a valid request with success:',
          ...worked.map(
            (id) =>
              `  ${id.padEnd(14)}  ${describeSuccess({ ...probed.operations[id], streamFailure: undefined })}`,
          ),
          '',
          `With this profile, ${judged.cases.size} of ${whole.cases.size} cases and ${judged.requirements.size} of ${whole.requirements.size} requirements can be tested.`,
        ]),
    '',
    'The members that are commented out are examples. To test more, remove the `# ` and replace the value',
    'by one of your gateway. In brackets: how many cases, and how many requirements as a whole, need it.',
  ];
}
