import type { Catalog } from '../catalog/catalog.ts';
import { addCounts } from '../report/count-outcomes.ts';
import { gather } from '../report/gather.ts';
import type { ModelReport, ModelsReport, Report } from '../report/report.ts';

/** The listed models of all parts of a run, each of which has every so many-th; undefined where none were asked for. */
export function mergeModels(
  parts: readonly Report[],
  { ledger }: Pick<Catalog, 'ledger'>,
): ModelsReport | undefined {
  const all = parts.flatMap(({ models }) => (models ? [models] : []));
  const [first] = all;
  if (!first) return undefined;
  const unread = all.find((models) => models.unread !== undefined)?.unread;
  const counts = new Map(
    gather(
      all.flatMap((models) => models.requirements),
      ({ id }) => id,
    ),
  );
  const reasons = gather(
    all.flatMap((models) => models.notJudged),
    ({ outcome, reason }) => `${outcome} ${reason}`,
  );
  return {
    patterns: first.patterns,
    listed: Math.max(...all.map(({ listed }) => listed)),
    ...(first.chosen !== undefined && { chosen: first.chosen }),
    ...(unread !== undefined && { unread }),
    items: inTurn(all.map(({ items }) => items)).map(withoutExpected),
    requirements: ledger.requirements.flatMap(({ id }) => {
      const own = counts.get(id);
      return own ? [{ id, models: addCounts(own.map(({ models }) => models)) }] : [];
    }),
    notJudged: reasons
      .flatMap(([, [one, ...rest]]) =>
        one ? [{ ...one, count: [one, ...rest].reduce((sum, { count }) => sum + count, 0) }] : [],
      )
      .sort((a, b) => b.count - a.count),
  };
}

/** One of each list in turn. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

function withoutExpected(item: ModelReport): ModelReport {
  return { ...item, broken: item.broken.map(({ expected: _, ...rest }) => rest) };
}
