import { counted } from './counted.ts';
import type { ExchangeReport } from './report.ts';

/** Of a request that was drawn at random: which it is and how small, and the flags of `run` that send it again. */
export function wordDrawn({ id, drawn }: ExchangeReport): [string, string][] {
  if (!drawn) return [];
  const { seed, n, count } = drawn;
  return [
    ['drawn', `${n} of seed ${seed}${wordShrunk(drawn)}`],
    ['again', `the same run with --fuzz ${count} --seed ${seed} --only ${id.replace(/#.*$/s, '')}`],
  ];
}

function wordShrunk({ shrunk }: NonNullable<ExchangeReport['drawn']>): string {
  switch (shrunk?.kind) {
    case 'smallest':
      return `, the smallest of ${counted(shrunk.tried, 'form')} tried`;
    case 'unsteady':
      return ', unsteady: sent again it was answered as it should be';
    case 'like':
      return `, like ${shrunk.case}`;
    case 'untried':
      return `, as it was drawn. ${shrunk.reason}`;
    default:
      return '';
  }
}
