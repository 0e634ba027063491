import { groupBy } from '../../common/lists.ts';
import { checkKey } from '../gate/apply-baseline.ts';
import { type CheckResults, checksOfModels } from '../gate/baseline.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CheckReport } from '../report/report.ts';

/** A check with its result in each report, in the order of the reports; undefined in a report without the check. */
export interface PairedCheck {
  readonly requirement: string;
  readonly case: string;
  readonly results: readonly (CheckReport | undefined)[];
}

/**
 * Pairs the checks of reports. All cases of a listed model and a requirement are one check, because a report does not
 * contain all of these cases. This check exists only if the model violates the requirement in one of the reports.
 */
export function pairChecks(reports: readonly CheckResults[]): PairedCheck[] {
  const placed = reports.map((report) => {
    const own = report.cases
      .filter(({ model }) => model === undefined)
      .flatMap(({ id, checks }) => checks.map((check) => ({ id, check })));
    return new Map(
      [...own, ...checksOfModels(report, reports)].map((item) => [
        checkKey({ requirement: item.check.requirement, case: item.id }),
        item,
      ]),
    );
  });
  const keys = new Set(placed.flatMap((own) => [...own.keys()]));
  return [...keys].flatMap((key) => {
    const found = placed.map((own) => own.get(key));
    const some = found.find((item) => item !== undefined);
    return some === undefined
      ? []
      : [
          {
            requirement: some.check.requirement,
            case: some.id,
            results: found.map((item) => item?.check),
          },
        ];
  });
}

/** The checks of a requirement for which `kindOf` returns the same kind. */
export interface CheckGroup<Kind = unknown> {
  readonly kind: Kind;
  readonly requirement: string;
  readonly checks: readonly PairedCheck[];
}

/** Groups checks by kind and requirement, in the order of their first checks. Omits checks without a kind. */
export function groupChecks<Kind extends string>(
  checks: readonly PairedCheck[],
  kindOf: (check: PairedCheck) => Kind | undefined,
): CheckGroup<Kind>[] {
  const kinds = checks.flatMap((check) => {
    const kind = kindOf(check);
    return kind === undefined ? [] : [{ kind, check }];
  });
  return groupBy(kinds, ({ kind, check }) => `${kind} ${check.requirement}`).flatMap(
    ([, [one, ...others]]) =>
      one
        ? [
            {
              kind: one.kind,
              requirement: one.check.requirement,
              checks: [one, ...others].map(({ check }) => check),
            },
          ]
        : [],
  );
}

/** Whether an outcome means that a check was judged. Returns false for undefined. */
export function isJudgedOutcome(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome !== 'inconclusive' && outcome !== 'not-applicable';
}

/**
 * Describes the findings of a check, its declared deviations, or the reason why the check was not judged; undefined if
 * the check has none of these or does not exist.
 */
export function describeResult(check: CheckReport | undefined): string | undefined {
  if (!check) return undefined;
  const messages = [...new Set(check.findings.map(({ message }) => message))];
  if (messages.length > 0) return messages.join('; ');
  return check.declared ? `declared: ${check.declared.join(', ')}` : check.reason;
}
