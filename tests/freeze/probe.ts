// Writes the units of a border. The driver, `freeze.js`, starts the probe of each commit:
//   probe.js inputs PART FOLDER
//   probe.js BORDER PART FOLDER FILE
//   probe.js explain FOLDER KEY LABEL
import './virtual.ts';
import { borders, explainResponse } from './borders.ts';
import { type Part, writeUnits } from './files.ts';
import { recordInputs } from './inputs.ts';

const [what = '', ...given] = process.argv.slice(2);

function readPart(text = '1/1'): Part {
  const [number = 1, of = 1] = text.split('/').map(Number);
  return { number, of };
}

if (what === 'explain') {
  const [folder = '', key = '', label = ''] = given;
  process.stdout.write(await explainResponse(folder, key, label));
} else {
  const [part, folder = '', file = ''] = given;
  if (what === 'inputs') await recordInputs(folder, readPart(part));
  else {
    const border = borders[what];
    if (!border) throw new Error(`No border has the name "${what}".`);
    writeUnits(file, await border(folder, readPart(part)));
  }
}
// Timers of the virtual time may be left.
process.exit();
