import { pluralize } from '../../common/lists.ts';
import type {
  GatewayResults,
  RequirementOfGateways,
  ResultOfGateway,
  TestedGateway,
} from '../compare/gateway-results.ts';
import type { Outcome } from '../judge/outcome.ts';
import { groupBySection } from './clauses.ts';
import { resultLooks } from './result.ts';
import { type Look, outcomeLooks, untriedLook } from './signs.ts';
import { type Cell, type Column, type Meaning, partGap, type Row, type Table } from './table.ts';

/** What a result of a gateway is called, in the order of the counts: whether it conforms, then what was not tested. */
const words: Readonly<Record<Outcome, string>> = {
  conforms: 'conforms',
  deviates: 'deviates as declared',
  violates: 'violates',
  warns: 'does not follow a recommendation',
  inconclusive: 'not tested: inconclusive',
  'not-applicable': 'not tested: not applicable',
};
const notInReport = 'not in this report';
const kinds = [...(Object.keys(words) as Outcome[]), null];

interface KindOfResult {
  readonly look: Look;
  readonly word: string;
  readonly tone: string;
}

function describeKind(outcome: Outcome | null): KindOfResult {
  return outcome === null
    ? { look: untriedLook, word: notInReport, tone: 'untried' }
    : { look: outcomeLooks[outcome], word: words[outcome], tone: outcome };
}

/** Formats the name of a gateway with its version, if it is known. */
export function formatGateway({ name, version }: Pick<TestedGateway, 'name' | 'version'>): string {
  return version === null ? name : `${name} ${version}`;
}

/** Formats the number of gateways, of which several can be versions of one. */
export function formatGatewayCount({ gateways }: GatewayResults): string {
  const count = new Set(gateways.map(({ name }) => name)).size;
  const versions = gateways.length === count ? '' : ` in ${pluralize(gateways.length, 'version')}`;
  return pluralize(count, 'gateway') + versions;
}

export const resultsNote =
  'Each number counts requirements of a section of the specification. It is no score: a gateway with fewer operations has fewer requirements to satisfy.';

/**
 * Lays out the results: a row for each section with the numbers of requirements, whose members are its requirements,
 * and at the end a row for all.
 */
export function layOutResults(results: GatewayResults): Table {
  const { gateways, requirements, spec } = results;
  const layOutNumbers = (label: string, own: readonly RequirementOfGateways[]): Row => ({
    label,
    kind: 'word',
    cells: gateways.map((_, column) => layOutCounts(own.flatMap((item) => item.results[column] ?? []))),
  });
  return {
    title: 'Requirements by section',
    corner: 'Section',
    columns: gateways.map((gateway): Column => ({ name: formatGateway(gateway), kind: 'prose' })),
    rows: [
      ...groupBySection(requirements, spec).map(({ number, title, requirements: own }) => ({
        ...layOutNumbers(`${number} ${title}`.trim(), own),
        members: own.map((item) => layOutRequirement(item, gateways)),
      })),
      layOutNumbers('All', requirements),
    ],
    legend: listMeanings(requirements),
  };
}

function layOutCounts(results: readonly ResultOfGateway[]): Cell {
  const parts = kinds.flatMap((kind): Cell[] => {
    const count = results.filter(({ outcome }) => outcome === kind).length;
    const { look, word, tone } = describeKind(kind);
    return count === 0 ? [] : [{ text: `${look.sign} ${count}`, look, tone, says: word }];
  });
  return { text: parts.map(({ text }) => text).join(partGap), parts };
}

function layOutRequirement(
  { id, level, says, results }: RequirementOfGateways,
  gateways: readonly TestedGateway[],
): Row {
  return {
    label: id,
    kind: 'code',
    about: level,
    says,
    cells: results.map(({ outcome, declares }, column) => {
      const { look, word, tone } = describeKind(outcome);
      const declared = outcome === 'deviates' && declares !== null ? `${word}: ${declares}` : word;
      const gateway = gateways[column];
      return {
        text: look.sign,
        look,
        tone,
        says: declared,
        details: gateway ? `, ${id}, ${formatGateway(gateway)}` : '',
      };
    }),
  };
}

/** Lists the signs that the results need. */
function listMeanings(requirements: readonly RequirementOfGateways[]): Meaning[] {
  const found = new Set(requirements.flatMap(({ results }) => results.map(({ outcome }) => outcome)));
  return kinds
    .filter((kind) => found.has(kind))
    .map((kind) => {
      const { look, word, tone } = describeKind(kind);
      return { sign: look.sign, word, tone };
    });
}

/** Lays out the reports: when and with what each was made, and its verdict. */
export function layOutGateways({ gateways }: GatewayResults): Table {
  return {
    title: 'Reports',
    corner: 'Gateway',
    columns: [
      { name: 'Version', kind: 'word' },
      { name: 'Verdict', kind: 'word' },
      { name: 'Started', kind: 'word' },
      { name: 'Suite', kind: 'word' },
      { name: 'Requests', kind: 'word', align: 'right' },
    ],
    rows: gateways.map(({ name, version, verdict, startedAt, toolVersion, sent }) => {
      const { look, tone, emoji, phrase } = resultLooks[verdict];
      return {
        label: name,
        kind: 'prose',
        cells: [
          version === null ? { text: '' } : { text: version, kind: 'code' },
          { text: phrase, look, tone, emoji },
          { text: `${startedAt.slice(0, 16).replace('T', ' ')} UTC` },
          { text: toolVersion, kind: 'code' },
          { text: String(sent) },
        ],
      };
    }),
  };
}

/** Formats the day on which a report was started, such as 2027-01-31. */
export function formatDay({ startedAt }: Pick<TestedGateway, 'startedAt'>): string {
  return startedAt.slice(0, 10);
}

/** Whether a gateway violates a requirement. */
export function isViolated({ cells }: Row): boolean {
  return cells.some(({ tone }) => tone === 'violates');
}
