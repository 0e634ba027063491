import type { Cause } from '../../report/causes/causes.ts';
import type { CaseReport } from '../../report/report.ts';
import { countCause, wordAnswer } from '../../report/wording.ts';
import { oneLine } from '../../text/one-line.ts';
import { counted } from '../../text/words.ts';
import { clip } from '../../text/wrap.ts';
import { type CasesById, titleLines } from './cause-lines.ts';
import { markOf, type Page } from './page.ts';

/** How many causes are shown with an example. */
export const shownCauses = 5;
/** The longest line where nothing limits it. */
const longestLine = 200;

/** The gravest causes, each in a few lines with one example. */
export function repairFirstLines(page: Page, cases: CasesById, causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  const shown = causes.slice(0, shownCauses);
  const rest = causes.length - shown.length;
  const more = rest > 0 ? page.paint('dim', `  the gravest ${shown.length} of ${causes.length} causes`) : '';
  return [
    page.paint('bold', 'Repair first') + more,
    ...shown.flatMap((cause, index) => oneCause(page, cases, cause, index + 1)),
  ];
}

function oneCause(page: Page, cases: CasesById, cause: Cause, number: number): string[] {
  const { paint } = page;
  const known = (ids: readonly string[]) => ids.flatMap((id) => cases.get(id) ?? []);
  const { example } = cause;
  const seen = [countCause(cause), where(known(cause.cases), known(cause.judged))];
  const line = (label: string, text: string): string => {
    const prefix = `   ${label.padEnd(8)}  `;
    return paint('dim', prefix) + clip(text, Math.min(longestLine, page.width - prefix.length));
  };
  return [
    ...titleLines(page, `${number}. ${markOf(page, cause.outcome)} `, cause),
    line('where', seen.filter((text) => text !== '').join(': ')),
    ...(example
      ? [
          line('expected', example.requirement.expects),
          line('received', wordAnswer(example.exchange, longestLine)),
        ]
      : []),
    line('look at', cause.lookAt),
    ...(example ? [`   ${oneLine(example.exchange.curl)}`] : []),
  ];
}

interface Axis {
  readonly fact: string;
  readonly one: string;
  /** Stands before the values where these don't speak for themselves. */
  readonly named: boolean;
}

const axes: readonly Axis[] = [
  { fact: 'operation', one: 'operation', named: false },
  { fact: 'header', one: 'header', named: false },
  { fact: 'key', one: 'key', named: true },
  { fact: 'model', one: 'model', named: true },
  { fact: 'fault', one: 'fault', named: false },
  { fact: 'place', one: 'place', named: true },
  { fact: 'given', one: 'value', named: true },
  { fact: 'record', one: 'record', named: true },
  { fact: 'range', one: 'range', named: true },
  { fact: 'method', one: 'method', named: true },
];
/** Values that say nothing of where. */
const quiet = ['none', 'any', 'documented'];
const shownValues = 4;

/** In which of the cases that could show it a fault was seen: along each axis, which values, or that it was all of them. */
export function where(cases: readonly CaseReport[], among: readonly CaseReport[]): string {
  return axes
    .flatMap((axis) => {
      const values = valuesOf(axis.fact, cases);
      const possible = valuesOf(axis.fact, among);
      const varies = possible.length > 1;
      const always = axis.fact === 'operation' || axis.fact === 'header';
      return values.length === 0 || (!varies && !always) ? [] : [shown(axis, values, possible)];
    })
    .join(' · ');
}

function shown({ one, named }: Axis, values: readonly string[], possible: readonly string[]): string {
  if (values.length > 2 && values.length === possible.length) return `all ${counted(values.length, one)}`;
  const rest = values.length - shownValues;
  const list = rest > 1 ? `${values.slice(0, shownValues).join(', ')} and ${rest} more` : values.join(', ');
  return named ? `${one} ${list}` : list;
}

function valuesOf(fact: string, cases: readonly CaseReport[]): string[] {
  const values = cases.map(({ facts }) => facts[fact]).filter((value) => value !== undefined);
  return [...new Set(values)].filter((value) => !quiet.includes(value));
}
