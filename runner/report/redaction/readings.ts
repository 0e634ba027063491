/** A text as it reads once something is undone, and where in the text each of its letters stands. */
export interface Reading {
  readonly letters: string;
  readonly startOf: (index: number) => number;
  readonly endOf: (index: number) => number;
}

/** How often escapes are undone: once, within others, and within others again. */
const depth = 3;

/**
 * The number of a letter in hexadecimal, decimal or octal, the name of one, a letter of full width, or white space. A run
 * of backslashes is read from its beginning only, so that a long one takes linear time.
 */
const escapes =
  /(?:%|(?<!\\)\\+x)([0-9a-f]{2})|(?:(?<!\\)\\+|%)u([0-9a-f]{4})|(?<!\\)\\+u\{([0-9a-f]{1,12})\}|&#x([0-9a-f]{1,12});?|&#([0-9]{1,12});?|&(amp|lt|gt|quot|apos);|(?<!\\)\\+([0-3][0-7]{2})|([\uff01-\uff5e])|(?<!\\)\\+[nrtbf]/gi;

/** How far the letters of full width are from those of ASCII. */
const fullWidth = 0xfee0;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text itself, then with its escapes undone, again and again while there are any: percent, JSON and HTML, in any mix. */
export function readingsOf(text: string): [Reading, ...Reading[]] {
  const readings: [Reading, ...Reading[]] = [
    { letters: text, startOf: (index) => index, endOf: (index) => index + 1 },
  ];
  let last = readings[0];
  while (readings.length <= depth && last.letters.search(escapes) >= 0) {
    last = unescaped(last);
    readings.push(last);
  }
  return readings;
}

/** A reading with nothing but its letters and digits: what stands between them may keep a key from being seen. */
export function bareReading({ letters, startOf, endOf }: Reading): Reading {
  let places: readonly number[] | undefined;
  const placeOf = (index: number): number => {
    places ??= Array.from(letters.matchAll(/[a-z0-9]/gi), (found) => found.index);
    return places[index] ?? 0;
  };
  return {
    letters: letters.replace(/[^a-z0-9]+/gi, ''),
    startOf: (index) => startOf(placeOf(index)),
    endOf: (index) => endOf(placeOf(index)),
  };
}

function unescaped(reading: Reading): Reading {
  const { letters } = reading;
  const places = new Uint32Array(letters.length + 1);
  const pieces: string[] = [];
  let [length, end] = [0, 0];
  const copy = (to: number): void => {
    pieces.push(letters.slice(end, to));
    while (end < to) places[length++] = end++;
  };
  for (const found of letters.matchAll(escapes)) {
    copy(found.index);
    const letter = letterOf(found);
    pieces.push(letter);
    // A letter outside of the basic plane is two in a text.
    for (let unit = 0; unit < letter.length; unit++) places[length++] = found.index;
    end = found.index + found[0].length;
  }
  copy(letters.length);
  places[length] = end;
  return {
    letters: pieces.join(''),
    startOf: (index) => reading.startOf(places[index] ?? 0),
    endOf: (index) => reading.endOf((places[index + 1] ?? 0) - 1),
  };
}

function letterOf(found: readonly (string | undefined)[]): string {
  const [, byte, unit, point, hexEntity, entity, name, octal, wide] = found;
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - fullWidth);
  const hex = byte ?? unit ?? point ?? hexEntity;
  if (hex === undefined && entity === undefined) return ' ';
  const code = hex === undefined ? Number(entity) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
