import { median } from './rounds.js';

/**
 * What was measured, a value for each round.
 * @typedef {object} Figure
 * @property {string} what
 * @property {readonly number[]} values
 * @property {'×' | 'ms' | 's' | 'MB' | '%' | ''} unit
 * @property {{ most: number } | { least: number }} [target]
 */

/**
 * A number as it is shown: as many places as say something.
 * @param {number} value
 * @param {Figure['unit']} unit
 */
const shown = (value, unit) => value.toFixed(unit === '×' || unit === 's' ? 2 : value < 10 ? 1 : 0);

/** Some values as their median and their spread; one alone has none. @param {readonly number[]} values @param {Figure['unit']} unit */
function spread(values, unit) {
  const middle = `**${shown(median(values), unit)}${unit && ` ${unit}`}**`;
  if (values.length === 1) return middle;
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => shown(value, unit));
  return `${middle} (${least} to ${most})`;
}

/** The target as text, and whether the median meets it; empty if there is no target. @param {Figure} figure */
function judged({ values, unit, target }) {
  if (!target) return ['', ''];
  const middle = median(values);
  const met = 'most' in target ? middle <= target.most : middle >= target.least;
  const limit = 'most' in target ? `at most ${target.most}` : `at least ${target.least}`;
  return [`${limit} ${unit}`, met ? 'met' : '**not met**'];
}

/** Figures as a table of Markdown. @param {readonly Figure[]} figures */
export function table(figures) {
  return rows(
    ['figure', 'median (spread)', 'target', ''],
    figures.map((figure) => [figure.what, spread(figure.values, figure.unit), ...judged(figure)]),
  );
}

/**
 * The same figures of several releases of Node, side by side.
 * @param {readonly { name: string, figures: readonly Figure[] }[]} columns
 */
export function tableByNode(columns) {
  const [first] = columns;
  return rows(
    ['figure', ...columns.flatMap(({ name }) => [name, 'target', ''])],
    (first?.figures ?? []).map(({ what }, at) => [
      what,
      ...columns.flatMap(({ figures }) => {
        const figure = figures[at];
        return figure ? [spread(figure.values, figure.unit), ...judged(figure)] : [];
      }),
    ]),
  );
}

/** A table of Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} body */
export function rows(head, body) {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
