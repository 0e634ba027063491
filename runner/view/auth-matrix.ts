import { groupBy } from '../../common/lists.ts';
import { findWorstOutcome, type Outcome } from '../judge/outcome.ts';
import type { FailureKind } from '../judge/severity.ts';
import type { CaseReport, Report } from '../report/report.ts';
import type { FailedCheck } from './failures.ts';
import { differingLook, knownLook, type Look, letInLook, outcomeLooks, untriedLook } from './signs.ts';
import type { Cell, Meaning } from './table.ts';

/** The grades. A cell has the first of these grades that any of its cases has. */
export const cellGrades = [
  'let-in',
  'server-error',
  'wrong-status',
  'wrong-body',
  'warning',
  'inconclusive',
  'declared',
  'right',
  'not-applicable',
] as const;
export type CellGrade = (typeof cellGrades)[number];

/** The grades of responses that are as specified or as declared. */
export const goodGrades: readonly (CellGrade | 'known')[] = ['declared', 'right'];

/** The responses of one operation to one kind of credential. */
export interface MatrixCell {
  readonly outcome: Outcome;
  readonly grade: CellGrade;
  /**
   * The status of the failed response of the example, or of the last response if none failed; null if the report lacks
   * this status.
   */
  readonly status: number | null;
  /**
   * For each case, the status of the failed response, or of the last response if none failed, if known. The statuses
   * are sorted and without duplicates.
   */
  readonly statuses: readonly number[];
  /**
   * Whether only requests whose body or model is also invalid have this grade, and requests with a valid body and
   * model have a better grade.
   */
  readonly isCombined: boolean;
  /** The IDs of all cases of the cell. */
  readonly cases: readonly string[];
  /** The ID of the first case with the grade, preferably of a case with a valid body and model. */
  readonly example: string;
}

/** The responses to each credential. The matrix has a row for each header and key, and a column for each operation. */
export interface AuthMatrix {
  readonly operations: readonly string[];
  readonly rows: readonly {
    readonly header: string;
    readonly key: string;
    /** One cell for each operation; undefined if no case sends this credential to the operation. */
    readonly cells: readonly (MatrixCell | undefined)[];
  }[];
}

/**
 * Returns the cases of the matrix: the cases of the suite `auth` with the attributes `header` and `key`, except the
 * cases of listed models.
 */
function listMatrixCases({ cases }: Pick<Report, 'cases'>): CaseReport[] {
  return cases.filter(
    ({ suite, attributes, model }) =>
      suite === 'auth' && attributes.header && attributes.key && model === undefined,
  );
}

/** Returns the matrix of a report. Headers, the keys of each header, and operations are in the order of the cases. */
export function createAuthMatrix(
  report: Pick<Report, 'cases'>,
  failedChecks: readonly FailedCheck[],
): AuthMatrix {
  const own = listMatrixCases(report);
  const failed = new Map(groupBy(failedChecks, ({ item }) => item.id));
  const operations = [...new Set(own.map(({ attributes }) => attributes.operation ?? ''))];
  const rows = groupBy(own, ({ attributes }) => attributes.header ?? '').flatMap(([header, ofHeader]) =>
    groupBy(ofHeader, ({ attributes }) => attributes.key ?? '').map(([key, ofKey]) => {
      const cells = new Map(groupBy(ofKey, ({ attributes }) => attributes.operation ?? ''));
      return {
        header,
        key,
        cells: operations.map((operation) =>
          cellOf(
            (cells.get(operation) ?? []).map((item) => ({
              item,
              ...treatmentOf(item, failed.get(item.id) ?? []),
            })),
          ),
        ),
      };
    }),
  );
  return { operations, rows };
}

interface Treatment {
  readonly grade: CellGrade;
  readonly status: number | null;
}

function cellOf(found: readonly (Treatment & { readonly item: CaseReport })[]): MatrixCell | undefined {
  const grade = cellGrades.find((one) => found.some((treatment) => treatment.grade === one));
  const made = found.filter((treatment) => treatment.grade === grade);
  const isPlain = ({ item }: (typeof made)[number]): boolean => item.attributes.request !== 'invalid';
  const first = made.find(isPlain) ?? made[0];
  if (!first || grade === undefined) return undefined;
  const statuses = found.flatMap(({ status }) => status ?? []);
  return {
    outcome: findWorstOutcome(found.map(({ item }) => item.outcome)),
    grade,
    status: first.status,
    statuses: [...new Set(statuses)].sort((a, b) => a - b),
    isCombined: !goodGrades.includes(grade) && !made.some(isPlain) && found.some(isPlain),
    cases: found.map(({ item }) => item.id),
    example: first.item.id,
  };
}

const gradeOfKind: Readonly<Record<FailureKind, CellGrade>> = {
  'unauthorized-access': 'let-in',
  'valid-request-fails': 'wrong-status',
  'invalid-accepted': 'let-in',
  'server-error': 'server-error',
  'wrong-status': 'wrong-status',
  'not-json': 'wrong-body',
  'wrong-type': 'wrong-body',
  'wrong-detail': 'wrong-body',
};

function treatmentOf(item: CaseReport, failedChecks: readonly FailedCheck[]): Treatment {
  const failures = failedChecks.flatMap(({ responses }) => responses);
  const graded = failures.map(({ outcome, kind, symptom, evidence }): Treatment => {
    const status = symptom.status?.actual ?? evidence?.response?.status ?? null;
    const isServerError = kind === 'valid-request-fails' && (status === null || status >= 500);
    const grade = isServerError ? 'server-error' : gradeOfKind[kind];
    return { grade: outcome === 'warns' ? 'warning' : grade, status };
  });
  const grade = cellGrades.find((one) => graded.some((treatment) => treatment.grade === one));
  const bad = graded.find((treatment) => treatment.grade === grade);
  if (bad) return bad;
  const answered = item.exchanges.filter(({ control, response }) => !control && response);
  return { grade: gradeOfOutcome[item.outcome], status: answered.at(-1)?.response?.status ?? null };
}

/** The grade of a case without a failed response. */
const gradeOfOutcome: Readonly<Record<Outcome, CellGrade>> = {
  violates: 'wrong-body',
  warns: 'warning',
  inconclusive: 'inconclusive',
  deviates: 'declared',
  conforms: 'right',
  'not-applicable': 'not-applicable',
};

export const gradeLooks: Readonly<Record<CellGrade | 'known', Look>> = {
  'let-in': letInLook,
  'server-error': { ...outcomeLooks.violates, word: 'server error' },
  'wrong-status': { ...outcomeLooks.violates, word: 'wrong status' },
  'wrong-body': { ...differingLook, colour: 'yellow', word: 'correct status, wrong error body' },
  warning: { ...outcomeLooks.warns, word: 'warning' },
  inconclusive: outcomeLooks.inconclusive,
  declared: outcomeLooks.deviates,
  right: { ...outcomeLooks.conforms, word: 'correct' },
  'not-applicable': outcomeLooks['not-applicable'],
  known: knownLook,
};

/**
 * Formats a cell: its sign, its status if the status is known and the cell was judged, and a star if `isCombined` is
 * true.
 */
export function formatCell(
  { grade, status, isCombined }: MatrixCell,
  shown: CellGrade | 'known' = grade,
): string {
  const isShown = status !== null && grade !== 'inconclusive' && grade !== 'not-applicable';
  return `${gradeLooks[shown].sign}${isShown ? status : ''}${isCombined ? '*' : ''}`;
}

export const combined: Meaning = { sign: '*', word: 'only if the body or the model is invalid too' };

/** Returns the meanings of the signs in cells. A cell that is undefined was not tried. */
export function legendOf(
  cells: readonly ((Pick<MatrixCell, 'isCombined'> & { readonly grade: CellGrade | 'known' }) | undefined)[],
): Meaning[] {
  const used = new Set(cells.map((cell) => cell?.grade));
  return [
    ...[...cellGrades, 'known' as const]
      .filter((grade) => used.has(grade))
      .map((grade) => ({ ...gradeLooks[grade], tone: `grade-${grade}` })),
    ...(used.has(undefined) ? [{ ...untriedLook, tone: 'untried' }] : []),
    ...(cells.some((cell) => cell?.isCombined) ? [combined] : []),
  ];
}

export const untriedCell: Cell = {
  text: untriedLook.sign,
  look: untriedLook,
  tone: 'untried',
  says: untriedLook.word,
};
