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

/** @param {Figure} figure */
function rowOf({ what, values, unit, target }) {
  if (!target) return [what, spread(values, unit), '', ''];
  const middle = median(values);
  const met = 'most' in target ? middle <= target.most : middle >= target.least;
  const limit = 'most' in target ? `at most ${target.most}` : `at least ${target.least}`;
  return [what, spread(values, unit), `${limit} ${unit}`, met ? 'met' : '**not met**'];
}

/** Figures as a table of Markdown. @param {readonly Figure[]} figures */
export function table(figures) {
  return rows(['figure', 'median (spread)', 'target', ''], figures.map(rowOf));
}

/** A table of Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} body */
export function rows(head, body) {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
