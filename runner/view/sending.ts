import { pluralize } from '../../common/lists.ts';
import { isOverlapping } from '../judge/subject.ts';
import type { ExchangeReport } from '../report/report.ts';
import type { Reproduction } from '../report/reproduction.ts';

/**
 * Formats the properties of a request that a curl line does not show, as pairs of a name and a text. A request that
 * overlapped requests with other keys gets one pair, unless `reproduction` says what happened without them. A generated
 * request gets pairs for its combined attributes, for its number and seed with the result of its shrinking, and for the
 * flags of `run` that send the request again.
 */
export function formatSending(exchange: ExchangeReport, reproduction?: Reproduction): [string, string][] {
  return [
    ...(!reproduction && isOverlapping(exchange.attributes)
      ? [
          [
            'sent',
            'at the same time as requests with other keys, so the request alone may get a correct response',
          ] satisfies [string, string],
        ]
      : []),
    ...formatGenerated(exchange),
  ];
}

function formatGenerated({ id, generatedRequest }: ExchangeReport): [string, string][] {
  if (!generatedRequest) return [];
  const { seed, n, count, combined = {} } = generatedRequest;
  const attributes = Object.entries(combined).map((entry) => entry.join('='));
  return [
    ...(attributes.length > 0 ? [['combined', attributes.join(' · ')] satisfies [string, string]] : []),
    ['request', `number ${n} of seed ${seed}${formatShrunk(generatedRequest)}`],
    ['again', `repeat the run with --fuzz ${count} --seed ${seed} --only ${id.replace(/#.*$/s, '')}`],
  ];
}

function formatShrunk({ shrunk }: NonNullable<ExchangeReport['generatedRequest']>): string {
  switch (shrunk?.kind) {
    case 'smallest':
      return `, the smallest of ${pluralize(shrunk.tried, 'form')} tried`;
    case 'unsteady':
      return ', intermittent: the request did not fail in the same way when sent again';
    case 'like':
      return `, the same failure as ${shrunk.case}`;
    case 'untried':
      return `. ${shrunk.reason}`;
    default:
      return '';
  }
}
