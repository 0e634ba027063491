import { findWorstOutcome, type Outcome } from '../judge/outcome.ts';
import { failuresOf } from './causes/failures.ts';
import type { Kind } from './causes/severity.ts';
import type { CaseReport, Report, RequirementReport } from './report.ts';

/** How the requests of a cell were answered, the worst first. */
export const cellGrades = [
  'let-in',
  'server-error',
  'wrong-status',
  'wrong-body',
  'warning',
  'inconclusive',
  'right',
  'not-applicable',
] as const;
export type CellGrade = (typeof cellGrades)[number];

/** How one kind of credential was treated by one operation. */
export interface MatrixCell {
  readonly outcome: Outcome;
  readonly grade: CellGrade;
  /** The status that made the grade; null if no response came. */
  readonly status: number | null;
  /** Every status that was received, in ascending order. */
  readonly statuses: readonly number[];
  /** Only requests with something else wrong were treated so: an invalid body, or a model that does not exist. */
  readonly isCombined: boolean;
  readonly cases: readonly string[];
  /** The first case that made the grade. */
  readonly example: string;
}

/** How credentials were treated: a row for each header and key that was sent, a column for each operation. */
export interface AuthMatrix {
  readonly operations: readonly string[];
  readonly rows: readonly {
    readonly header: string;
    readonly key: string;
    /** One for each operation; undefined where it was not tried. */
    readonly cells: readonly (MatrixCell | undefined)[];
  }[];
}

/** The cases that the matrix is made of. */
export function matrixCases({ cases }: Pick<Report, 'cases'>): CaseReport[] {
  return cases.filter(
    ({ suite, facts, model }) => suite === 'auth' && facts.header && facts.key && model === undefined,
  );
}

/** The matrix of the cases of the suite `auth`, in the order of the report. */
export function authMatrix(report: Pick<Report, 'cases' | 'requirements'>): AuthMatrix {
  const own = matrixCases(report);
  const requirements = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const operations = [...new Set(own.map(({ facts }) => facts.operation ?? ''))];
  const headers = [...new Set(own.map(({ facts }) => facts.header ?? ''))];
  const rows = headers.flatMap((header) => {
    const ofHeader = own.filter(({ facts }) => facts.header === header);
    const keys = [...new Set(ofHeader.map(({ facts }) => facts.key ?? ''))];
    return keys.map((key) => ({
      header,
      key,
      cells: operations.map((operation): MatrixCell | undefined => {
        const found = ofHeader.filter(({ facts }) => facts.key === key && facts.operation === operation);
        return cellOf(found.map((item) => ({ item, ...treatmentOf(item, requirements) })));
      }),
    }));
  });
  return { operations, rows };
}

/** How the requests of one case were answered. */
interface Treatment {
  readonly grade: CellGrade;
  readonly status: number | null;
}

function cellOf(found: readonly (Treatment & { readonly item: CaseReport })[]): MatrixCell | undefined {
  const grade = cellGrades.find((one) => found.some((treatment) => treatment.grade === one));
  const made = found.filter((treatment) => treatment.grade === grade);
  const isPlain = ({ item }: (typeof made)[number]): boolean => item.facts.request !== 'invalid';
  const first = made.find(isPlain) ?? made[0];
  if (!first || grade === undefined) return undefined;
  const statuses = found.flatMap(({ status }) => status ?? []);
  return {
    outcome: findWorstOutcome(found.map(({ item }) => item.outcome)),
    grade,
    status: first.status,
    statuses: [...new Set(statuses)].sort((a, b) => a - b),
    isCombined: grade !== 'right' && !made.some(isPlain) && found.some(isPlain),
    cases: found.map(({ item }) => item.id),
    example: first.item.id,
  };
}

const gradeOfKind: Readonly<Record<Kind, CellGrade>> = {
  'unauthorized-access': 'let-in',
  'invalid-accepted': 'let-in',
  'server-error': 'server-error',
  'wrong-status': 'wrong-status',
  'wrong-type': 'wrong-body',
  'wrong-detail': 'wrong-body',
};

function treatmentOf(item: CaseReport, requirements: ReadonlyMap<string, RequirementReport>): Treatment {
  const failures = item.obligations.flatMap((obligation) => {
    const requirement = requirements.get(obligation.requirement);
    return requirement ? failuresOf(requirement, item, obligation) : [];
  });
  const graded = failures.map(({ outcome, kind, symptom, evidence }): Treatment => {
    const status = symptom.status?.actual ?? evidence?.response?.status ?? null;
    return { grade: outcome === 'warns' ? 'warning' : gradeOfKind[kind], status };
  });
  const grade = cellGrades.find((one) => graded.some((treatment) => treatment.grade === one));
  const bad = graded.find((treatment) => treatment.grade === grade);
  if (bad) return bad;
  const answered = item.exchanges.filter(({ control, response }) => !control && response);
  return { grade: gradeOfOutcome[item.outcome], status: answered.at(-1)?.response?.status ?? null };
}

/** Of a case in which no response fails. */
const gradeOfOutcome: Readonly<Record<Outcome, CellGrade>> = {
  violates: 'wrong-body',
  warns: 'warning',
  inconclusive: 'inconclusive',
  conforms: 'right',
  'not-applicable': 'not-applicable',
};

/** The sign of each grade, which tells it without colour, and what it is called. */
export const gradeLooks: Readonly<Record<CellGrade, { readonly sign: string; readonly word: string }>> = {
  'let-in': { sign: '!', word: 'let in' },
  'server-error': { sign: '✗', word: 'server error' },
  'wrong-status': { sign: '✗', word: 'wrong status' },
  'wrong-body': { sign: '≠', word: 'right status, wrong error body' },
  warning: { sign: '▲', word: 'warning' },
  inconclusive: { sign: '?', word: 'not tested' },
  right: { sign: '✓', word: 'right' },
  'not-applicable': { sign: '–', word: 'not applicable' },
};

/** A cell as text: its sign, the status, and a star where something else was wrong with the requests too. */
export function cellText({ grade, status, isCombined }: MatrixCell): string {
  const isShown = status !== null && grade !== 'inconclusive' && grade !== 'not-applicable';
  return `${gradeLooks[grade].sign}${isShown ? status : ''}${isCombined ? '*' : ''}`;
}

/** What the star of a cell says. */
export const combinedWords = 'only with an invalid body or model besides';
