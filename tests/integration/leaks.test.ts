import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../runner/report/report.ts';
import { isReporterName, reporterNames, reporters } from '../../runner/reporters/reporters.ts';
import { scratch } from '../support/command.ts';
import { encodings, windowsOf } from '../support/key-encodings.ts';
import { createKeyScanner } from '../support/leaks/key-scanner.ts';
import { takeLeaks } from '../support/leaks/search-for-keys.ts';
import { sampleReport } from '../support/sample-report.ts';

const key = 'sk-8Wm3Zc6Yp1Qf9Tn5Jx2Lb7Vd4Hk0Rs';

describe('the scan for keys', () => {
  const scan = createKeyScanner([key, 'sk-proj-1111111111']);

  test.each(Object.entries(encodings))(
    'finds each stretch of ten letters, anywhere in a text: %s',
    (_, encode) => {
      for (const [index, stretch] of windowsOf(key.slice(3), 10).entries()) {
        for (const form of encode(stretch)) {
          const text = `${'~'.repeat(index)}${form}"}`;
          expect(scan(text), text).not.toEqual([]);
          expect(scan(text.toUpperCase()), text).not.toEqual([]);
        }
      }
    },
  );

  test.each([
    ['nine letters', key.slice(3, 12)],
    ['a role', '{{keys.valid:truncated}} ${GATEWAY_API_KEY%????????}'],
    ['the words of a key', 'sk-proj-'],
    ['one letter again and again', '1111111111'],
  ])('finds nothing in %s', (_, text) => {
    expect(scan(text)).toEqual([]);
  });
});

describe('a key is found that a test lets out, and does not look for', () => {
  const env = { GATEWAY_API_KEY: key, PATH: process.env.PATH ?? '' };
  const half = Buffer.from(key.slice(0, 17)).toString('base64');

  test.each([
    ['on stdout', `console.log('key: ' + process.env.GATEWAY_API_KEY)`, /^What .* said: .* plain/],
    [
      'on stderr, with percent',
      `console.error('${encodings.percent?.(`"${key}"`)[0]}')`,
      /^What .* said: .* plain/,
    ],
    [
      'in a file, a part of it in base64',
      `require('fs').writeFileSync('r', '${half}')`,
      /^What .* wrote into .*r: .* base64/,
    ],
  ])('%s', async (_, code, told) => {
    const cwd = scratch();
    await promisify(execFile)(process.execPath, ['-e', `/* conformance */ ${code}`], { cwd, env });
    expect(takeLeaks().join('\n')).toMatch(told);
  });

  test('in a stream that nobody reads', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(process.env.GATEWAY_API_KEY)', 'conformance'], {
      env,
    });
    child.stdout.resume();
    await new Promise((resolve) => child.on('close', resolve));
    expect(takeLeaks()).not.toEqual([]);
  });

  test('in each report that is made in the test', async () => {
    const report = await sampleReport();
    const leaking: Report = JSON.parse(
      JSON.stringify(report).replaceAll('auth/rejected-key/', `auth/${key}/`),
    );
    const style = { colour: false, verbose: true, width: Number.POSITIVE_INFINITY };
    const leaky: string[] = [];
    for (const name of reporterNames.filter(isReporterName)) {
      const render = await reporters[name]();
      render(leaking, style);
      if (takeLeaks().some((leak) => leak.startsWith('The output of '))) leaky.push(name);
    }
    // A badge has numbers only.
    expect(leaky).toEqual(reporterNames.filter((name) => name !== 'badge'));
  });
});
