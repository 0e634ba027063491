import { type Outcome, worst } from '../judge/outcome.ts';
import type { Report } from './report.ts';

/** What became of one kind of credential on one operation. */
export interface MatrixCell {
  readonly outcome: Outcome;
  readonly cases: readonly string[];
}

/** How credentials were judged: a row for each header and key that was sent, a column for each operation. */
export interface AuthMatrix {
  readonly operations: readonly string[];
  readonly rows: readonly {
    readonly header: string;
    readonly key: string;
    /** One for each operation; undefined where it was not tried. */
    readonly cells: readonly (MatrixCell | undefined)[];
  }[];
}

/** The matrix of the cases of the suite `auth`, in the order of the report. */
export function authMatrix({ cases }: Report): AuthMatrix {
  const own = cases.filter(
    ({ suite, facts, model }) => suite === 'auth' && facts.header && facts.key && model === undefined,
  );
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
        return found.length === 0
          ? undefined
          : { outcome: worst(found.map(({ outcome }) => outcome)), cases: found.map(({ id }) => id) };
      }),
    }));
  });
  return { operations, rows };
}
