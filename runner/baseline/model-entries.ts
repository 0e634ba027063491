import { compileGlob } from '../catalog/glob.ts';
import type { Outcome } from '../judge/outcome.ts';
import { formatModelSegment } from '../plan/model-cases.ts';
import { isJudged, modelBreaches } from '../report/group-models.ts';
import type { CaseReport, ObligationReport, Report } from '../report/report.ts';
import type { Claim } from './baseline.ts';

/** The pattern of all cases of a listed model. */
export function casesOfModel(model: string): string {
  return `*/${formatModelSegment(model)}`;
}

/** Whether a claim speaks of every case of a model by that requirement, whichever these are. */
export function coversModel(claim: Claim, requirement: string, model: string): boolean {
  const ofAll = compileGlob(claim.case ?? '*');
  return compileGlob(claim.requirement ?? '*')(requirement) && ofAll(`\u0000/${formatModelSegment(model)}`);
}

/**
 * What listed models came to that a claim speaks of, undefined where nobody knows; a report shows few of their cases, so
 * that this is told model by model.
 */
export function outcomesOfModels(claim: Claim, report: Judged): (Outcome | undefined)[] {
  const named = claim.case?.split('/').findLast((part) => part.startsWith('model-id='));
  const { models } = report;
  if (!models) return named === undefined ? [] : [undefined];
  const ofRequirement = compileGlob(claim.requirement ?? '*');
  const requirements = models.requirements.filter(({ id }) => ofRequirement(id));
  if (requirements.length === 0) return [];
  const isNamed = named === undefined ? undefined : compileGlob(named);
  const breaches = modelBreaches(report).filter(({ requirement }) => ofRequirement(requirement));
  const matched = models.items.filter(
    ({ id }) => isNamed?.(formatModelSegment(id)) ?? coversModel(claim, requirements[0]?.id ?? '', id),
  );
  const outcomes = matched.flatMap((item): (Outcome | undefined)[] => {
    const own = breaches.filter(({ model }) => model === item.id);
    if (own.length === 0) return [item.cases.inconclusive > 0 ? 'inconclusive' : acceptedBy(item)];
    // Of a case that is not shown, nobody knows which it was.
    return own.map(({ requirement, outcome, unshown }) => {
      if (coversModel(claim, requirement, item.id)) return outcome;
      return unshown > 0 ? undefined : 'conforms';
    });
  });
  // A model that is not listed, or was not asked for, may come again.
  return named !== undefined && matched.length === 0 ? [undefined] : outcomes;
}

function acceptedBy(item: NonNullable<Report['models']>['items'][number]): Outcome {
  return isJudged(item) ? 'conforms' : 'not-applicable';
}

/** What listed models came to by each requirement that one of them broke, in this report or in one of the others. */
export function obligationsOfModels(
  report: Judged,
  others: readonly Judged[],
): { readonly id: string; readonly obligation: ObligationReport }[] {
  const breaches = modelBreaches(report);
  const broken = new Set(breaches.map(({ model, requirement }) => `${requirement} ${model}`));
  const items = new Map(report.models?.items.map((item) => [item.id, item]));
  const kept = others.flatMap(modelBreaches).flatMap(({ model, requirement }) => {
    const item = items.get(model);
    if (!item || broken.has(`${requirement} ${model}`)) return [];
    const outcome = item.cases.inconclusive > 0 ? 'inconclusive' : acceptedBy(item);
    return [{ id: casesOfModel(model), obligation: { requirement, outcome, findings: [] } }];
  });
  const shown = breaches.map(({ model, requirement, outcome }) => {
    const obligations = report.cases.flatMap((item) => (item.model === model ? item.obligations : []));
    const findings = obligations.find((one) => one.requirement === requirement && one.outcome === outcome);
    return {
      id: casesOfModel(model),
      obligation: { requirement, outcome, findings: findings?.findings ?? [] },
    };
  });
  return [...shown, ...kept];
}

/** What a report says of duties. */
export interface Judged extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'id' | 'obligations' | 'model'>[];
}
