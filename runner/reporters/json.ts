import { writeJsonPieces } from '../../common/write-json.ts';
import type { Attributes } from '../catalog/condition.ts';
import { rankOf } from '../judge/severity.ts';
import type { CaseReport, ExchangeReport, Report } from '../report/report.ts';
import { type Cause, causesOf } from '../view/causes.ts';
import { headlinesOf } from '../view/headlines.ts';

/**
 * Yields the report as JSON, with headlines and the causes of the failures. `specs/schemas/report.schema.json` is the
 * schema.
 */
export function json(report: Report): Generator<string> {
  const causes = causesOf(report);
  const value = {
    ...report,
    cases: addFormerNames(report.cases),
    others: report.others.map(nameExchange),
    headlines: headlinesOf(report, causes),
    causes: causes.map(describeCause),
  };
  return writeJsonPieces(value, 2);
}

/** Yields the cases with some members also under their former names, which programs may still read. */
function* addFormerNames(cases: readonly CaseReport[]): Generator<object> {
  for (const item of cases)
    yield { ...addFormerName(item), obligations: item.checks, exchanges: item.exchanges.map(nameExchange) };
}

function addFormerName<T extends { readonly attributes: Attributes }>(item: T): T & { facts: Attributes } {
  return { ...item, facts: item.attributes };
}

function nameExchange(exchange: ExchangeReport): object {
  const { generatedRequest } = exchange;
  return { ...addFormerName(exchange), ...(generatedRequest && { drawn: generatedRequest }) };
}

function describeCause(cause: Cause): object {
  const { id, severity, outcome, title, lookAt, requirements, cases, judged, requests, places, example } =
    cause;
  return {
    id,
    severity,
    rank: rankOf(severity),
    outcome,
    title,
    lookAt,
    requirements: requirements.map((requirement) => requirement.id),
    cases,
    judgedCases: judged.length,
    requests: requests.length,
    places,
    example: example
      ? {
          requirement: example.requirement.id,
          case: example.case,
          exchange: example.exchange.id,
          message: example.message,
        }
      : null,
  };
}
