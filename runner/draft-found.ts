import type { Catalog } from './catalog/catalog.ts';
import { mapping } from './catalog/mapping.ts';
import { type OperationId, operationIds } from './catalog/operations.ts';
import { countMissing, type Judged, judgedWith } from './plan/count-judged.ts';
import { answered, type Probed, type ProbedOperation } from './probe.ts';
import { type Addition, additions, type KeyName, optionalKeys } from './profile/additions.ts';
import { type DraftLine, type DraftSection, draftProfile } from './profile/draft-profile.ts';
import { modelOperations } from './profile/profile.ts';
import { profileOf } from './profile/read-profile.ts';
import { counted } from './report/counted.ts';

/** What a profile is drafted from. */
export interface Found {
  readonly baseUrl: string;
  /** The valid key, whose form decides what can be sent; it never gets into the text. */
  readonly key: string;
  /** The optional keys that there are. */
  readonly keys: readonly KeyName[];
  /** The request lines that the user stated. */
  readonly operations: Readonly<Partial<Record<OperationId, string>>>;
  readonly probed: Probed;
}

/** A drafted profile, and how much of the suite a run with it judges. */
export interface Draft {
  readonly text: string;
  readonly judged: Judged;
  readonly whole: Judged;
}

/** A commented profile that states what was found, and shows what could be added and what needs it; never a key. */
export function draftFound(catalog: Catalog, found: Found): Draft {
  const { probed } = found;
  const stated = linesInForce(catalog, found);
  const taken = new Set(stated.map(({ path }) => path.join('.')));
  const offered = additions(catalog.operations).filter(({ path }) => !taken.has(path.join('.')));
  const absent = nullsFor(
    operationIds.filter((id) => !taken.has(`operations.${id}`)),
    catalog,
  );
  const realKey = { path: ['keys', 'valid'], value: found.key };
  const judgedBy = (lines: readonly Pick<DraftLine, 'path' | 'value'>[]): Judged =>
    judgedWith(catalog, profileOf(profileValue([...absent, ...lines, realKey]), catalog));
  const examples = offered.map(({ path, example: value }) => ({ path, value }));
  const whole = judgedBy([...stated, ...examples]);
  const need = (addition: Addition): string => {
    const others = examples.filter(({ path }) => path !== addition.path);
    const without = judgedBy([...stated, ...others]);
    return wordNeed(
      addition.about,
      countMissing(whole.cases, without.cases),
      countMissing(whole.requirements, without.requirements),
    );
  };
  const shown = offered
    .filter(({ path: [group, id] }) => group !== 'models' || answered(probed).some((name) => name === id))
    .map((addition): DraftLine => {
      const why = whyAbsent(probed, addition.path);
      return {
        path: addition.path,
        value: addition.example,
        inForce: false,
        comment: [...(why === '' ? [] : [why]), need(addition)].join(': '),
      };
    });
  const judged = judgedBy(stated);
  const of = (...groups: readonly string[]): DraftLine[] =>
    together([...stated, ...shown].filter(({ path: [group = ''] }) => groups.includes(group)));
  const sections: DraftSection[] = [
    { about: [], lines: of('baseUrl') },
    { about: ['No key belongs into this file: each comes from the environment.'], lines: of('keys') },
    {
      about: ['The models to call, by operation.'],
      lines: together([...modelsToName(probed, taken), ...of('models')]),
    },
    { about: ['Where the operations are that the specification leaves open.'], lines: of('operations') },
    { about: ['Request records, and how many requests are too many.'], lines: of('records', 'rateLimit') },
    { about: ['What this gateway does otherwise than most.'], lines: ways },
  ];
  return { text: draftProfile(head(found, judged, whole), sections), judged, whole };
}

function linesInForce(catalog: Catalog, found: Found): DraftLine[] {
  const { probed } = found;
  const line = (path: readonly string[], value: unknown, comment = ''): DraftLine => ({
    path,
    value,
    inForce: true,
    comment,
  });
  const keys = optionalKeys.filter(({ role }) => found.keys.includes(role));
  const models = modelOperations.flatMap((id) => {
    const { model } = probed.operations[id];
    // A profile would put a variable in the place of `${NAME}`.
    return model !== undefined && !model.includes('${')
      ? [line(['models', id, 'good'], model, 'called with success')]
      : [];
  });
  const operations = operationIds.flatMap((id) => {
    const own = found.operations[id];
    if (own !== undefined) return [line(['operations', id], own, wordStated(probed.operations[id]))];
    const { request, stated } = catalog.operations[id];
    const seen = probed.operations[id];
    if (stated !== 'guess' || seen.kind !== 'succeeded') return [];
    return [line(['operations', id], request, `found; the key is taken in ${seen.headers.join(', ')}`)];
  });
  return [
    line(['baseUrl'], found.baseUrl),
    line(['keys', 'valid'], '${GATEWAY_API_KEY}'),
    ...keys.map(({ role, variable, about }) => line(['keys', role], `\${${variable}}`, about)),
    ...models,
    ...operations,
  ];
}

/** The lines with those of one member behind each other. */
function together(lines: readonly DraftLine[]): DraftLine[] {
  const members = [...new Set(lines.map(({ path }) => path[1]))];
  return members.flatMap((member) => lines.filter(({ path }) => path[1] === member));
}

/** The value that a file of these lines has. */
function profileValue(lines: readonly Pick<DraftLine, 'path' | 'value'>[]): unknown {
  return lines.reduce<Record<string, unknown>>((whole, { path, value }) => set(whole, path, value), {});
}

function set(
  whole: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  return { ...whole, [name]: rest.length === 0 ? value : set(mapping(whole[name]), rest, value) };
}

/** The lines that say of operations that they are not offered; those that the specification names always are. */
function nullsFor(ids: readonly OperationId[], { operations }: Catalog): Pick<DraftLine, 'path' | 'value'>[] {
  return ids
    .filter((id) => operations[id].stated !== 'spec')
    .map((id) => ({ path: ['operations', id], value: null }));
}

/** Operations that answered, but not to a good call with a model: the model must be named. */
function modelsToName({ operations }: Probed, taken: ReadonlySet<string>): DraftLine[] {
  const open = modelOperations.filter(
    (id) => !taken.has(`models.${id}.good`) && !['not-offered', 'absent'].includes(operations[id].kind),
  );
  return open.map((id) => ({
    path: ['models', id, 'good'],
    value: 'MODEL',
    inForce: false,
    comment: `${wordStated(operations[id])}; name a model that it can call`,
  }));
}

const ways: readonly DraftLine[] = [
  {
    path: ['headers', 'x-tenant'],
    value: 'acme',
    comment: 'sent with every request; never a credential',
  },
  { path: ['bodies', 'chat'], value: { max_tokens: 1 }, comment: 'merged into the valid body' },
  {
    path: ['versionHeader'],
    value: 'anthropic-version',
    comment: 'the name of the version header of messages',
  },
  { path: ['timeFormat'], value: 'unix-seconds', comment: 'or unix-millis, iso-date, iso-datetime' },
  { path: ['stream', 'parameter'], value: 'stream', comment: 'the member that asks for a stream' },
].map((line) => ({ ...line, inForce: false }));

function whyAbsent({ operations }: Probed, [group, id]: readonly string[]): string {
  const guessed = (['messages', 'generate', 'streamGenerate'] as const).find((name) => name === id);
  if (group !== 'operations' || guessed === undefined) return '';
  return wordStated(operations[guessed]);
}

function wordStated({ kind, status, headers }: ProbedOperation): string {
  const told = status === undefined ? '' : ` (${status})`;
  switch (kind) {
    case 'succeeded':
      return `answered; the key is taken in ${headers.join(', ')}`;
    case 'presumed':
      return 'not tried';
    case 'not-offered':
      return 'no good call of it succeeded';
    case 'no-model':
      return 'no model of the list seems to fit';
    case 'absent':
      return `nothing was found there${told}`;
    case 'unknown-model':
      return `it does not know the model${told}`;
    case 'web-page':
      return 'a web page answers there';
    case 'refused':
      return `it refused the key${told}`;
    case 'failed':
      return `no good call of it succeeded${told}`;
  }
}

function wordNeed(about: string, cases: number, requirements: number): string {
  const counts = [
    counted(cases, 'case'),
    ...(requirements === 0 ? [] : [counted(requirements, 'requirement')]),
  ];
  const text = cases === 0 ? '' : `(${counts.join(', ')})`;
  return [about, text].filter((part) => part !== '').join(' ');
}

function head({ baseUrl, probed }: Found, judged: Judged, whole: Judged): string[] {
  return [
    'yaml-language-server: $schema=node_modules/model-gateway-conformance/specs/schemas/profile.schema.json',
    '',
    `What \`conformance init\` found of ${baseUrl}. Answered with success:`,
    ...(answered(probed).length === 0 ? ['  nothing'] : []),
    ...answered(probed).map((id) => {
      const { headers, streams } = probed.operations[id];
      return `  ${id.padEnd(14)}  key in ${headers.join(', ')}${streams ? '; streams' : ''}`;
    }),
    '',
    `With this file ${judged.cases.size} of ${whole.cases.size} cases can be judged, and ${judged.requirements.size} of ${whole.requirements.size} requirements.`,
    'Take the `# ` away from a line below to let more be judged; behind it stands in brackets how many',
    'cases need it, and how many requirements are judged with it only.',
  ];
}
