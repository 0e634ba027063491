import { writeJsonPieces } from '../../common/write-json.ts';
import { rankOf } from '../judge/severity.ts';
import type { Cause } from '../view/causes.ts';
import { formatWhere, listContrasts } from '../view/counts.ts';
import type { View } from '../view/view.ts';

/**
 * Yields the report as JSON, with headlines and the causes of the failures. `specs/schemas/report.schema.json` is the
 * schema.
 */
export function json({ report, headlines, causes }: View): Generator<string> {
  const value = {
    ...report,
    headlines,
    causes: causes.map(describeCause),
  };
  return writeJsonPieces(value, 2);
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
    where: formatWhere(cause),
    contrasts: listContrasts(cause),
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
