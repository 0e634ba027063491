import { existsSync } from 'node:fs';
import { DataFileError, parseDataFile, readDataFile } from '../../../common/data-file.ts';
import type { Schemas } from '../../../common/schemas.ts';
import { applyBaseline, type CheckId, createBaselineLookup } from '../../gate/apply-baseline.ts';
import { type Baseline, type CheckResults, readBaseline } from '../../gate/baseline.ts';
import { hasNoGoodCall } from '../../gate/exit-code.ts';
import { type UpdateScope, updateBaseline } from '../../gate/update-baseline.ts';
import type { JudgedCase } from '../../judge/judge-cases.ts';
import type { PlannedCase } from '../../plan/plan.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { countJudged } from '../../report/summarize.ts';
import type { ValuesOf } from '../../run/define-option.ts';
import type { reportFlags } from '../flags/shared-flags.ts';
import { assertWritableFile, writeOrKeep } from './output-file.ts';

type BaselineFlags = Pick<ValuesOf<typeof reportFlags>, 'baseline' | 'updateBaseline'>;

/** A baseline that was read at the start of a command. */
export interface OpenBaseline {
  readonly baseline: Baseline;
  readonly schemas: Schemas;
  /** The current date in UTC, such as `2027-01-31`. */
  readonly today: string;
  /** Whether to update the file after the run; `create` if the file does not exist yet. */
  readonly update: 'no' | 'update' | 'create';
}

const emptyBaseline = `# yaml-language-server: $schema=node_modules/model-gateway-conformance/specs/schemas/baseline.schema.json
violations: []
`;

/**
 * Reads the baseline that the flags name; undefined if the flags name no baseline. Throws a `UsageError` for
 * `--update-baseline` without a baseline. Throws a `DataFileError` if the baseline is invalid, or is missing without
 * `--update-baseline`. Throws an `UnwritableError` if the file must be updated but is not writable.
 */
export function openBaseline(
  { baseline: file, updateBaseline }: BaselineFlags,
  schemas: Schemas,
): OpenBaseline | undefined {
  if (file === undefined) {
    if (updateBaseline)
      throw new UsageError('--update-baseline needs a file to update. Add --baseline FILE.');
    return undefined;
  }
  if (updateBaseline) assertWritableFile('The baseline', file);
  else if (!existsSync(file))
    throw new DataFileError(
      file,
      undefined,
      'the file does not exist. Check the path, or create the file with --update-baseline.',
    );
  const isNew = updateBaseline && !existsSync(file);
  const source = isNew ? parseDataFile(file, emptyBaseline) : readDataFile(file);
  return {
    baseline: readBaseline(source, schemas),
    schemas,
    today: new Date().toISOString().slice(0, 10),
    update: isNew ? 'create' : updateBaseline ? 'update' : 'no',
  };
}

/** Returns a function that returns true if the baseline, if any, expects all violations of a case. */
export function isExpected(open: OpenBaseline | undefined): (item: JudgedCase) => boolean {
  if (!open) return () => false;
  const look = createBaselineLookup(open.baseline, open.today);
  return ({ planned, checks }) =>
    checks.every(({ check, verdict }) => {
      const id = { requirement: check.requirement.id, case: planned.id };
      return verdict.outcome !== 'violates' || look(id, verdict).reason !== undefined;
    });
}

/** Returns the checks of planned cases: each requirement of each case. */
export function listPlannedChecks(cases: readonly PlannedCase[]): CheckId[] {
  return cases.flatMap(({ id, checks }) =>
    checks.map(({ requirement }) => ({ requirement: requirement.id, case: id })),
  );
}

export function listReportedChecks(cases: CheckResults['cases']): CheckId[] {
  return cases.flatMap(({ id, checks }) => checks.map(({ requirement }) => ({ requirement, case: id })));
}

/** A report to which a baseline was applied. `complaint` is the error message if the file could not be updated. */
interface BaselineResult {
  readonly report: Report;
  readonly complaint?: string;
}

/**
 * Applies a baseline, if any, to a report. If requested, first updates the file of the baseline and logs whether the file was
 * updated. Does not update the file if the run was interrupted, judged nothing, or had no successful valid call.
 */
export function applyOrUpdateBaseline(
  { report, known: listKnown }: { readonly report: Report; readonly known: () => readonly CheckId[] },
  open: OpenBaseline | undefined,
  scope: UpdateScope,
  logUpdate: (message: string) => void,
): BaselineResult {
  if (!open) return { report };
  const { baseline, schemas, today, update } = open;
  const known = listKnown();
  const { file } = baseline.source;
  const apply = (by: Baseline): BaselineResult => ({ report: applyBaseline(report, by, known, today) });
  if (update === 'no') return apply(baseline);
  if (!isConclusive(report)) {
    logUpdate(
      `${file} was not updated, because the run was interrupted, judged nothing, or had no successful valid call. Run the command again when valid calls succeed.`,
    );
    return apply(baseline);
  }
  const isNew = update === 'create' && !existsSync(file);
  let current: Baseline;
  try {
    // The file is read again, so that changes made during the run are not lost.
    current = isNew ? baseline : readBaseline(readDataFile(file), schemas);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    return {
      ...apply(baseline),
      complaint: `The baseline could not be read again after the run, so the baseline was not updated. ${error.message}`,
    };
  }
  const change = updateBaseline(report, current, known, { ...scope, today });
  if (change === undefined && !isNew) {
    logUpdate(`${file} is up to date.`);
    return apply(current);
  }
  const { text, removed, added } = change ?? { text: emptyBaseline, removed: 0, added: 0 };
  const complaint = writeOrKeep('The baseline', file, () => text);
  if (complaint !== undefined) return { ...apply(baseline), complaint };
  logUpdate(`Updated ${file}: ${added} added, ${removed} removed.`);
  return apply(readBaseline(parseDataFile(file, text), schemas));
}

function isConclusive(report: Report): boolean {
  const { stopped, summary } = report;
  if (stopped?.kind === 'interrupted' || hasNoGoodCall(report)) return false;
  return countJudged(summary.cases) > 0;
}
