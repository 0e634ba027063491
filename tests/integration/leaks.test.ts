import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../runner/report/report.ts';
import { joinReportText } from '../../runner/reporters/reporter.ts';
import { isReporterName, reporterNames, reporters } from '../../runner/reporters/reporters.ts';
import { createView } from '../../runner/view/view.ts';
import { createScratchFolder } from '../support/command.ts';
import { runInProcess } from '../support/in-process-command.ts';
import { encodings, windowsOf } from '../support/key-encodings.ts';
import { watchCommand } from '../support/leaks/command-output.ts';
import { createKeyScanner } from '../support/leaks/key-scanner.ts';
import { takeLeaks } from '../support/leaks/search-for-keys.ts';
import { createSampleReport } from '../support/sample-report.ts';

const key = 'sk-8Wm3Zc6Yp1Qf9Tn5Jx2Lb7Vd4Hk0Rs';

describe('the search for keys', () => {
  const scan = createKeyScanner([key, 'sk-proj-1111111111']);

  test.each(Object.entries(encodings))(
    'finds every part of twelve characters, anywhere in a text: %s',
    (_, encode) => {
      for (const [index, stretch] of windowsOf(key.slice(3), 12).entries()) {
        for (const form of encode(stretch)) {
          const text = `${'~'.repeat(index)}${form}"}`;
          expect(scan(text), text).not.toEqual([]);
          expect(scan(text.toUpperCase()), text).not.toEqual([]);
        }
      }
    },
  );

  test.each([
    ['nine characters', key.slice(3, 12)],
    ['a role', '{{keys.valid:truncated}} ${GATEWAY_API_KEY%????????}'],
    ['the prefix of a key', 'sk-proj-'],
    ['a repeated letter', '1111111111'],
  ])('finds nothing in %s', (_, text) => {
    expect(scan(text)).toEqual([]);
  });
});

describe('a leaked key is found without an assertion in the test', () => {
  const env = { GATEWAY_API_KEY: key, PATH: process.env.PATH ?? '' };
  const half = Buffer.from(key.slice(0, 17)).toString('base64');

  test.each([
    ['on stdout', `console.log('key: ' + process.env.GATEWAY_API_KEY)`, /^Printed by .*: .* plain/],
    [
      'on stderr, percent-encoded',
      `console.error('${encodings.percent?.(`"${key}"`)[0]}')`,
      /^Printed by .*: .* plain/,
    ],
    [
      'in a file, in part and as base64',
      `require('fs').writeFileSync('r', '${half}')`,
      /^Written by .* to .*r: .* base64/,
    ],
  ])('%s', async (_, code, message) => {
    const cwd = createScratchFolder();
    await promisify(execFile)(process.execPath, ['-e', `/* conformance */ ${code}`], { cwd, env });
    expect(takeLeaks().join('\n')).toMatch(message);
  });

  test('from a file that changed after an earlier command', async () => {
    const cwd = createScratchFolder();
    const code = `/* conformance */ console.log(require('fs').readFileSync('key', 'utf8'))`;
    for (let round = 0; round < 2; round++) {
      writeFileSync(join(cwd, 'key'), `sk-${randomBytes(16).toString('hex')}`);
      await promisify(execFile)(process.execPath, ['-e', code], { cwd });
      expect(takeLeaks().join('\n')).toMatch(/^Printed by .*: .* plain/);
    }
  });

  test('in a stream that the test does not read', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(process.env.GATEWAY_API_KEY)', 'conformance'], {
      env,
    });
    child.stdout.resume();
    await new Promise((resolve) => child.on('close', resolve));
    expect(takeLeaks()).not.toEqual([]);
  });

  test('on stderr of a command in this process', async () => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'notes'), key);
    // The command hides whole keys in its arguments, but cannot recognise that this name is a part of a key.
    const part = key.slice(3, 18);
    const { stderr } = await runInProcess(['diff', part, 'b.json'], { cwd });
    expect(stderr).toContain(part);
    expect(takeLeaks().join('\n')).toMatch(/^Printed by `conformance diff .*: .* plain/);
  });

  test('in a file that a command in this process writes', () => {
    const cwd = createScratchFolder();
    const search = watchCommand('conformance', { args: [], cwd, envPairs: [`GATEWAY_API_KEY=${key}`] });
    writeFileSync(join(cwd, 'r'), half);
    search([]);
    expect(takeLeaks().join('\n')).toMatch(/^Written by .* to .*r: .* base64/);
  });

  test('in each report that is created in the test', async () => {
    const report = await createSampleReport();
    const leaking: Report = JSON.parse(
      JSON.stringify(report).replaceAll('auth/rejected-key/', `auth/${key}/`),
    );
    const style = { colour: false, verbose: true, width: Number.POSITIVE_INFINITY };
    const leaky: string[] = [];
    for (const name of reporterNames.filter(isReporterName)) {
      const render = await reporters[name]();
      joinReportText(render(createView(leaking), style));
      if (takeLeaks().some((leak) => leak.startsWith('The output of '))) leaky.push(name);
    }
    // A badge and a brief report contain no case IDs.
    expect(leaky).toEqual(reporterNames.filter((name) => name !== 'badge' && name !== 'brief'));
  });
});
