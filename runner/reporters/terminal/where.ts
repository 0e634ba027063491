import type { CaseReport } from '../../report/report.ts';
import { pluralize } from '../../text/lists.ts';

interface Axis {
  readonly fact: string;
  readonly one: string;
  /** Whether the name is shown before the values. */
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

/** Values that do not describe where a failure occurs. */
const quiet = ['none', 'any', 'documented'];

const shownValues = 4;

/** Describes where a failure occurs: for each axis, the values of the failed cases, or that all values failed. */
export function describeOccurrence(cases: readonly CaseReport[], among: readonly CaseReport[]): string {
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

export function shown({ one, named }: Axis, values: readonly string[], possible: readonly string[]): string {
  if (values.length > 2 && values.length === possible.length) return `all ${pluralize(values.length, one)}`;
  const rest = values.length - shownValues;
  const list = rest > 1 ? `${values.slice(0, shownValues).join(', ')} and ${rest} more` : values.join(', ');
  return named ? `${one} ${list}` : list;
}

function valuesOf(fact: string, cases: readonly CaseReport[]): string[] {
  const values = cases.map(({ facts }) => facts[fact]).filter((value) => value !== undefined);
  return [...new Set(values)].filter((value) => !quiet.includes(value));
}
