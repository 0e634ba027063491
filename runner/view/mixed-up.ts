import { upperFirst } from '../../common/letter-case.ts';
import { placeName } from '../judge/words.ts';
import type { CaseReport } from '../report/report.ts';
import { requestOf } from '../report/select-examples.ts';
import type { FailedResponse } from './failures.ts';

/** The number of failures whose values are searched in other responses. */
const searched = 5;
/** A shorter value can occur in another response by chance. */
const shortest = 16;

/**
 * Returns a sentence, without its full stop, if a value that contradicts another value of its response belongs to the
 * response of another request; otherwise an empty string.
 */
export function describeMixedUp(failures: readonly FailedResponse[], cases: readonly CaseReport[]): string {
  const values = failures.flatMap(({ exchange, findings }) =>
    findings.flatMap(({ finding }) =>
      finding.kind === 'not-equal' && typeof finding.actual === 'string' && finding.actual.length >= shortest
        ? [
            {
              request: requestOf(exchange),
              place: finding.place,
              other: finding.other,
              value: finding.actual,
            },
          ]
        : [],
    ),
  );
  for (const { request, place, other, value } of values.slice(0, searched)) {
    const owner = cases.find(({ exchanges }) =>
      exchanges.some(({ id, response }) => requestOf(id) !== request && response?.body.text.includes(value)),
    );
    if (owner)
      return `${upperFirst(placeName(place))} is ${placeName(other)} of another response (${owner.id})`;
  }
  return '';
}
