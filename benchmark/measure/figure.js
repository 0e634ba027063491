import { median } from './rounds.js';

/**
 * A row of a table, with a measured value for each round.
 * @typedef {object} Figure
 * @property {string} what
 * @property {readonly number[]} values
 * @property {'×' | 'ms' | 's' | 'MB' | '%' | ''} unit
 * @property {{ most: number } | { least: number }} [target]
 */

/**
 * Formats a number with two decimals for ratios and seconds. For other units, formats numbers below 10 with one
 * decimal, and other numbers with none.
 * @param {number} value
 * @param {Figure['unit']} unit
 */
const formatValue = (value, unit) => value.toFixed(unit === '×' || unit === 's' ? 2 : value < 10 ? 1 : 0);

/**
 * Formats values as their median, minimum and maximum; a single value alone.
 * @param {readonly number[]} values
 * @param {Figure['unit']} unit
 */
function formatSpread(values, unit) {
  const middle = `**${formatValue(median(values), unit)}${unit && ` ${unit}`}**`;
  if (values.length === 1) return middle;
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => formatValue(value, unit));
  return `${middle} (${least} to ${most})`;
}

/**
 * Returns the target, and whether the median reaches the target; two empty texts if the figure has no target.
 * @param {Figure} figure
 */
function formatTarget({ values, unit, target }) {
  if (!target) return ['', ''];
  const middle = median(values);
  const met = 'most' in target ? middle <= target.most : middle >= target.least;
  const limit = 'most' in target ? `at most ${target.most}` : `at least ${target.least}`;
  return [`${limit} ${unit}`, met ? 'met' : '**not met**'];
}

/** Formats figures as a Markdown table. @param {readonly Figure[]} figures */
export function formatFigures(figures) {
  return formatTable(
    ['figure', 'median (spread)', 'target', ''],
    figures.map((figure) => [figure.what, formatSpread(figure.values, figure.unit), ...formatTarget(figure)]),
  );
}

/**
 * Formats the same figures of several releases of Node.js as one Markdown table, with columns for each release.
 * @param {readonly { name: string, figures: readonly Figure[] }[]} columns
 */
export function formatFiguresByNode(columns) {
  const [first] = columns;
  return formatTable(
    ['figure', ...columns.flatMap(({ name }) => [name, 'target', ''])],
    (first?.figures ?? []).map(({ what }, at) => [
      what,
      ...columns.flatMap(({ figures }) => {
        const figure = figures[at];
        return figure ? [formatSpread(figure.values, figure.unit), ...formatTarget(figure)] : [];
      }),
    ]),
  );
}

/** Formats a Markdown table. @param {readonly string[]} head @param {readonly (readonly string[])[]} body */
export function formatTable(head, body) {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
