import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * Differences that are meant. A rename applies to the members of the old side's values, and of the reports that the new
 * side views; `to: null` removes the member. `unit` and `place` are patterns in which * stands for any text.
 * @typedef {{ readonly border: string, readonly from: string, readonly to: string | null, readonly why: string }} Rename
 * @typedef {{ readonly border: string, readonly unit: string, readonly place?: string, readonly why: string }} IntendedDifference
 * @typedef {{ readonly renames: readonly Rename[], readonly differences: readonly IntendedDifference[] }} Intended
 * @typedef {{ readonly place: string, readonly was: string, readonly is: string }} Difference
 */

/**
 * @param {string} file
 * @returns {Intended}
 */
export function readIntended(file) {
  const { renames = [], differences = [] } = JSON.parse(readFileSync(file, 'utf8'));
  return { renames, differences };
}

/**
 * @param {readonly string[]} files
 * @returns {Map<string, unknown>}
 */
export function readUnits(files) {
  const units = new Map();
  for (const file of files)
    for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
      if (line === '') continue;
      const { key, value } = JSON.parse(line);
      if (units.has(key)) throw new Error(`Two units have the key "${key}".`);
      units.set(key, value);
    }
  return units;
}

/**
 * Compares the units of a border. Returns the differences that are not intended, the keys of those that are, and the
 * entries that match no difference.
 * @param {string} border
 * @param {ReadonlyMap<string, unknown>} was
 * @param {ReadonlyMap<string, unknown>} is
 * @param {Intended} intended
 */
export function compareUnits(border, was, is, intended) {
  const renames = intended.renames.filter((entry) => entry.border === border);
  const entries = intended.differences
    .filter((entry) => entry.border === border)
    .map((entry) => ({ ...entry, used: false, isUnit: glob(entry.unit), isPlace: glob(entry.place ?? '*') }));
  /** @type {({ readonly key: string } & Difference)[]} */
  const differing = [];
  /** @type {string[]} */
  const accepted = [];
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [withoutCode(was.get(key)), withoutCode(is.get(key))];
    const left = renames.length > 0 ? renameMembers(parsed(before), renames) : before;
    const right = renames.length > 0 ? parsed(after) : after;
    const found = !is.has(key)
      ? [{ place: 'only in the old commit', was: shorten(JSON.stringify(left)), is: 'absent' }]
      : !was.has(key)
        ? [{ place: 'only in the working tree', was: 'absent', is: shorten(JSON.stringify(right)) }]
        : allDifferences(left, right);
    const open = found.filter(({ place }) => {
      const fitting = entries.filter(({ isUnit, isPlace }) => isUnit(key) && isPlace(place));
      for (const entry of fitting) entry.used = true;
      return fitting.length === 0;
    });
    const [first] = open;
    if (first) differing.push({ key, ...first });
    else if (found.length > 0) accepted.push(key);
  }
  return { differing, accepted, unused: entries.filter(({ used }) => !used) };
}

/** The maximum number of differing places that are looked at in one unit. */
const mostPlaces = 5_000;

/**
 * @param {unknown} was
 * @param {unknown} is
 * @returns {Difference[]}
 */
function allDifferences(was, is) {
  /** @type {Difference[]} */
  const found = [];
  /** @param {unknown} a @param {unknown} b @param {string} path */
  const walk = (a, b, path) => {
    if (a === b || found.length >= mostPlaces) return;
    if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        walk(a[name], b[name], path === '' ? name : `${path}/${name}`);
      // The order of members is part of the bytes.
      const [left, right] = [Object.keys(a).join(), Object.keys(b).join()];
      if (found.length === 0 && left !== right)
        found.push({ place: `order of members at ${path}`, was: left, is: right });
      return;
    }
    const place = path === '' ? '' : `at ${path}`;
    if (typeof a === 'string' && typeof b === 'string' && a.length >= 200) {
      const text = firstDifference(a, b);
      if (text) found.push({ ...text, place: [place, text.place].filter(Boolean).join(', ') });
      return;
    }
    found.push({ place, was: shorten(JSON.stringify(a)), is: shorten(JSON.stringify(b)) });
  };
  walk(was, is, '');
  if (found.length >= mostPlaces) found.push({ place: `more than ${mostPlaces} places`, was: '…', is: '…' });
  return found;
}

/**
 * Returns the first place at which two texts differ; undefined for equal texts.
 * @param {string} was
 * @param {string} is
 * @returns {Difference | undefined}
 */
export function firstDifference(was, is) {
  if (was === is) return undefined;
  let index = 0;
  while (index < was.length && was[index] === is[index]) index++;
  const line = was.slice(0, index).split('\n').length;
  const from = Math.max(0, index - 60);
  const cut = (/** @type {string} */ text) => JSON.stringify(text.slice(from, index + 100));
  return { place: `line ${line}, character ${index}`, was: cut(was), is: cut(is) };
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {string | undefined} text */
const shorten = (text = 'absent') => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** @param {string} pattern */
function glob(pattern) {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`^${parts.join('[^]*')}$`);
  return (/** @type {string} */ text) => test.test(text);
}

/** Returns an HTML page without its style sheet, its script and the policy with their hashes. @param {unknown} value */
function withoutCode(value) {
  if (typeof value !== 'string') return value;
  return value.replace(/<(style|script)>.*?<\/\1>|<meta http-equiv="Content-Security-Policy"[^>]*>/gs, '');
}

/** Returns the value of a text that is a JSON object, so that renames apply to it. @param {unknown} value */
function parsed(value) {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * @param {unknown} value
 * @param {readonly Rename[]} renames
 * @returns {unknown}
 */
function renameMembers(value, renames) {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, renames));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, item]) => {
    const rename = renames.find(({ from }) => from === name);
    return rename?.to === null ? [] : [[rename?.to ?? name, renameMembers(item, renames)]];
  });
  return Object.fromEntries(members);
}

/**
 * Returns the folder with the inputs of the new side. Renames of the border `view` apply to the reports.
 * @param {string} folder
 * @param {string} copy
 * @param {Intended} intended
 */
export function renameInputs(folder, copy, { renames }) {
  const own = renames.filter(({ border }) => border === 'view');
  if (own.length === 0) return folder;
  if (!existsSync(copy)) mkdirSync(copy);
  for (const file of readdirSync(folder)) {
    if (!file.startsWith('reports-')) symlinkSync(join(folder, file), join(copy, file));
    else {
      const reports = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8'));
      writeFileSync(join(copy, file), gzipSync(JSON.stringify(renameMembers(reports, own))));
    }
  }
  return copy;
}

/**
 * Counts the setups that change a response to a frozen request.
 * @param {ReadonlyMap<string, unknown>} units
 */
export function tallyMoved(units) {
  const moves = new Map();
  for (const [key, value] of units) {
    const [setup = ''] = key.split(' | ');
    if (setup === 'conforming' || !isObject(value)) continue;
    moves.set(setup, (moves.get(setup) ?? 0) + Object.keys(value).length);
  }
  const still = [...moves].filter(([, count]) => count === 0).map(([setup]) => setup);
  return { moved: moves.size - still.length, still };
}
