import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataFileError, parseDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { commands } from '../command-table.ts';
import { listDefaultable, readDefaults } from './profile-defaults.ts';

const { flags } = commands.run;

function read(text: string): ReadonlyMap<string, unknown> {
  const file = parseDataFile('conformance.yaml', text);
  return readDefaults(file, toMapping(file.value).defaults, flags);
}

test('a profile can set each flag of `run` except those of its target and those that lower a protection', () => {
  const settable = new Set([...listDefaultable(flags).values()].map(({ key }) => key));
  const others = Object.entries(flags).filter(([key]) => !settable.has(key));
  expect(others.filter(([, { group }]) => group !== 'Target and keys').map(([key]) => key)).toEqual([
    'updateBaseline',
    'lastFailed',
    'dryRun',
    'watch',
    'ca',
    'insecure',
  ]);
  expect(listDefaultable(flags).get('maxBillable')?.key).toBe('maxBillable');
  expect(listDefaultable(flags).get('timeout')?.key).toBe('timeoutMs');
});

test('the values are those of the flags', () => {
  const text = `defaults:
  only: [auth/*]
  wait: 60s
  repeat: 3
  rate: 90/m
  shard: 2/5
  bail: true
  strict: false
  reporter: [html=out/report.html, json]
  baseline: known.yaml
`;
  expect(Object.fromEntries(read(text))).toEqual({
    only: ['auth/*'],
    waitMs: 60_000,
    repeat: 3,
    perSecond: 1.5,
    shard: { index: 2, of: 5 },
    bail: true,
    strict: false,
    reporter: ['html=out/report.html', 'json'],
    baseline: 'known.yaml',
  });
});

describe('an error has the line and the name', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'defaults-'));
  beforeAll(() => {
    mkdirSync(join(folder, 'inside'));
    symlinkSync(tmpdir(), join(folder, 'link'));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  test.each([
    'wait: soon',
    'wait: 60',
    'repeat: 0',
    'rate: 5',
    'baseline: /etc/passwd',
    'baseline: ../known.yaml',
    'reporter: [json=/tmp/a.json]',
    'reporter: [json=inside/../../a.json]',
    'reporter: [json=.git/config]',
    'reporter: [json=inside/.hidden]',
    'reporter: [json=link/a.json]',
  ])('%s', (line) => {
    let error: unknown;
    try {
      read(`baseUrl: x\ndefaults:\n  ${line}\n`);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DataFileError);
    const name = line.split(':')[0];
    expect(error).toMatchObject({ line: 3, message: expect.stringContaining(`defaults.${name}`) });
  });

  test.each([
    'reporter: [json=inside/new/a.json]',
    'reporter: [html=.conformance/report.html]',
    'baseline: ./a.yaml',
  ])('not for %s', (line) => expect(read(`baseUrl: x\ndefaults:\n  ${line}\n`).size).toBe(1));
});
