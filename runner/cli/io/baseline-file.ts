import { existsSync } from 'node:fs';
import { DataFileError, parseDataFile, readDataFile } from '../../../contract/data-file.ts';
import type { Schemas } from '../../../contract/schemas.ts';
import { applyBaseline, type Duty, makeExpect } from '../../baseline/apply-baseline.ts';
import { type Baseline, readBaseline } from '../../baseline/baseline.ts';
import { type UpdateScope, updateBaseline } from '../../baseline/update-baseline.ts';
import type { JudgedCase } from '../../judge/judge-cases.ts';
import type { PlannedCase } from '../../plan/plan.ts';
import { UsageError } from '../../profile/profile.ts';
import { nothingAnswered } from '../../report/exit-code.ts';
import type { Report } from '../../report/report.ts';
import { assertWritableFiles, writeOrKeep } from './write-file.ts';

/** The flags that say what is known and accepted. */
export interface BaselineFlags {
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}

/** A baseline that a report will be held to. */
export interface OpenBaseline {
  readonly baseline: Baseline;
  readonly schemas: Schemas;
  /** A date such as 2027-01-31, in UTC. */
  readonly today: string;
  /** Whether it is to be renewed; `create`, where there is no such file yet. */
  readonly update: 'no' | 'renew' | 'create';
}

const empty = `# yaml-language-server: $schema=node_modules/model-gateway-conformance/specs/schemas/baseline.schema.json
violations: []
`;

/** Reads the baseline of the flags, undefined where they name none; throws DataFileError, UsageError or UnwritableError where it can't be used. */
export function openBaseline(
  { baseline: file, updateBaseline: renew }: BaselineFlags,
  schemas: Schemas,
): OpenBaseline | undefined {
  if (file === undefined) {
    if (renew) throw new UsageError('--update-baseline needs the file that it writes: --baseline FILE.');
    return undefined;
  }
  if (renew) assertWritableFiles('The baseline', file);
  const create = renew === true && !existsSync(file);
  const source = create ? parseDataFile(file, empty) : readDataFile(file);
  return {
    baseline: readBaseline(source, schemas),
    schemas,
    today: new Date().toISOString().slice(0, 10),
    update: create ? 'create' : renew ? 'renew' : 'no',
  };
}

/** Whether the baseline expects all that a case violates. */
export function isExpected({ baseline, today }: OpenBaseline): (item: JudgedCase) => boolean {
  const reasonFor = makeExpect(baseline, today);
  return ({ planned, checks: obligations }) =>
    obligations.every(({ check: obligation, verdict }) => {
      const duty = { requirement: obligation.requirement.id, case: planned.id };
      return verdict.outcome !== 'violates' || reasonFor(duty, verdict.outcome) !== undefined;
    });
}

/** The duties of planned cases. */
export function dutiesOf(cases: readonly PlannedCase[]): Duty[] {
  return cases.flatMap(({ id, checks: obligations }) =>
    obligations.map(({ requirement }) => ({ requirement: requirement.id, case: id })),
  );
}

/** A report held to its baseline, and why that could not be renewed. */
type Settled = { readonly report: Report } | { readonly report: Report; readonly complaint: string };

/** The report held to the baseline, which is renewed first where that was asked for; what is done is told to `tell`. */
export function settle(
  report: Report,
  { baseline, schemas, today, update }: OpenBaseline,
  known: readonly Duty[],
  scope: UpdateScope,
  tell: (message: string) => void,
): Settled {
  const { file } = baseline.source;
  const held = (by: Baseline): Settled => ({ report: applyBaseline(report, by, known, today) });
  if (update === 'no') return held(baseline);
  if (!isConclusive(report)) {
    tell(`${file} was not written: too little was judged.`);
    return held(baseline);
  }
  const isNew = update === 'create' && !existsSync(file);
  let current: Baseline;
  try {
    // As it stands by now: what somebody wrote into it during the run is not to be lost.
    current = isNew ? baseline : readBaseline(readDataFile(file), schemas);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    return {
      ...held(baseline),
      complaint: `The baseline was changed during the run, and not renewed: ${error.message}`,
    };
  }
  const change = updateBaseline(report, current, known, { ...scope, today });
  if (change === undefined && !isNew) {
    tell(`${file} is as it should be.`);
    return held(current);
  }
  const { text, removed, added } = change ?? { text: empty, removed: 0, added: 0 };
  const complaint = writeOrKeep('The baseline', file, text);
  if (complaint !== undefined) return { ...held(baseline), complaint };
  tell(`${file} was written: ${added} added, ${removed} taken out.`);
  return held(readBaseline(parseDataFile(file, text), schemas));
}

/** Whether a run came far enough to say what is known of a gateway. */
function isConclusive(report: Report): boolean {
  const { stopped, summary } = report;
  if (stopped?.kind === 'interrupted' || nothingAnswered(report)) return false;
  const { cases } = summary;
  return cases.conforms + cases.violates + cases.warns > 0;
}
