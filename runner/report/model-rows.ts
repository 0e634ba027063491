import { worst } from '../judge/outcome.ts';
import { modelSegment } from '../plan/model-cases.ts';
import { counted } from './counted.ts';
import { gather } from './gather.ts';
import { isJudged, modelBreaches } from './group-models.ts';
import type { CaseReport, ModelReport, ObligationReport, Report } from './report.ts';

/** What the results of tests call all cases of a model. */
export const modelSuite = 'listed-models';

/**
 * Each listed model as one case, with all that it broke and the evidence that the report has of it; readers of tests are
 * not for a hundred thousand of them.
 */
export function modelRows(report: Report): CaseReport[] {
  const { models, cases } = report;
  if (!models) return [];
  const shown = new Map(gather(cases, ({ model = '' }) => model));
  const breaches = new Map(gather(modelBreaches(report), ({ model }) => model));
  return models.items.map((item) => {
    const own = shown.get(item.id) ?? [];
    const broken = (breaches.get(item.id) ?? []).map((breach): ObligationReport => {
      const { requirement, outcome, unshown, known } = breach;
      const alike = own.flatMap(({ obligations }) =>
        obligations.filter((one) => one.requirement === requirement && one.outcome === outcome),
      );
      return {
        requirement,
        outcome,
        findings: alike.flatMap(({ findings }) => findings),
        ...(unshown > 0 && {
          reason: `Broken in ${counted(unshown, 'case')} that the report does not show.`,
        }),
        ...(known !== undefined && { expected: known }),
      };
    });
    const obligations = [...broken, ...open(item)];
    return {
      id: `${modelSuite}/${modelSegment(item.id)}`,
      suite: modelSuite,
      about: 'What a model can vary, with this one.',
      facts: {},
      model: item.id,
      outcome: obligations.length > 0 ? worst(obligations.map(({ outcome }) => outcome)) : 'conforms',
      obligations,
      exchanges: own.flatMap(({ exchanges }) => exchanges),
    };
  });
}

/** What kept a model from being judged. */
function open(item: ModelReport): ObligationReport[] {
  const about = { requirement: modelSuite, findings: [] };
  const { inconclusive } = item.cases;
  if (inconclusive > 0)
    return [
      { ...about, outcome: 'inconclusive', reason: `${counted(inconclusive, 'case')} could not be judged.` },
    ];
  if (isJudged(item)) return [];
  const reason =
    item.own.length > 0
      ? `The cases without a model's name are about it: ${item.own.join(', ')}.`
      : 'No good call of it succeeded, or its ID says that it is for something else.';
  return [{ ...about, outcome: 'not-applicable', reason }];
}
