import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import type { Cause } from '../../../runner/view/causes.ts';
import { createScratchFolder, type FinishedCommand } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

/** Faults that only send wrong types to bad credentials. */
const accepted = {
  'one type for all headers': [
    'auth-answer/headers-unified-to-x-api-key',
    'auth-answer/missing-key-called-invalid',
  ],
  'a vocabulary of its own': ['auth-answer/another-vocabulary', 'auth-answer/missing-key-called-invalid'],
  'missing keys for all': ['auth-answer/all-called-missing', 'auth-answer/missing-key-on-billing-mistyped'],
};

/** Faults that give access to requests without a valid credential. */
const accesses = [
  'bad-key/beginning-is-enough-for-the-model-list',
  'bad-key/case-ignored-on-responses',
  'bad-key/prefix-optional-for-records',
  'bad-key/extension-ignored-in-x-goog-api-key',
  'bad-key/anything-taken-by-messages',
  'bad-key/anything-taken-when-streamed',
  'bad-key/deleted-works-on-the-model-list',
  'bad-key/deleted-works-for-usage',
  'credential-form/query-accepted-in-family-c',
  'credential-form/bare-key-accepted-by-the-model-list',
  'credential-form/unlisted-header-accepted-in-family-a',
  'credential-form/empty-x-api-key-is-anonymous-on-chat',
  'credential-place/cookie',
  'credential-place/body-member',
  'auth-answer/public-model-list',
  'key-mistake/undefined',
];

const profile = join(import.meta.dirname, '../../../fixtures/profiles/reference.yaml');
const suites = ['--suite', 'auth', '--suite', 'streams'];

interface GateRun extends FinishedCommand {
  readonly report: Report & { readonly causes: readonly Pick<Cause, 'severity'>[] };
}

/** Runs against a gateway with these faults, with the baseline in the folder. */
async function gate(folder: string, ids: readonly string[], ...flags: readonly string[]): Promise<GateRun> {
  const setups = ids.map((id) => {
    const fault = faults.find((item) => item.id === id);
    if (!fault) throw new Error(`Unknown fault ${id}.`);
    return fault.setup();
  });
  const server = await createReferenceServer(combineSetups(setups));
  try {
    const target = ['run', '--profile', profile, '--base-url', server.url];
    const outputs = ['--baseline', 'known.yaml', '--reporter', 'json=r.json', '--reporter', 'terminal'];
    const finished = await runInProcess([...target, ...suites, ...outputs, ...flags], { cwd: folder });
    return { ...finished, report: JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) };
  } finally {
    await server.close();
  }
}

const baselines = Object.entries(accepted).map(([name, ids], at) => ({
  name,
  ids,
  // Every access is added to one of the baselines.
  own: accesses.filter((_, index) => index % Object.keys(accepted).length === at),
}));

describe.each(baselines)('a baseline that accepts $name', ({ ids, own }) => {
  const folder = createScratchFolder();
  const file = join(folder, 'known.yaml');

  test('passes the gateway that it was written for', async () => {
    expect((await gate(folder, ids, '--update-baseline')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('unauthorized-access');
    expect((await gate(folder, ids)).code).toBe(0);
  });

  test.each(own)('fails if %s is added, and names it first', async (access) => {
    const other = createScratchFolder();
    copyFileSync(file, join(other, 'known.yaml'));
    const { code, stdout, report } = await gate(other, [...ids, access]);
    expect(report.causes[0]?.severity).toBe('unauthorized-access');
    expect(stdout.trimStart().split('\n').slice(0, 3).join(' ')).toContain('✗');
    expect(stdout.search(/Unauthorized access/)).toBeLessThan(
      stdout.includes('Stale') ? stdout.indexOf('Stale') : stdout.length,
    );
    expect(code).toBe(1);
  });

  test('accepts access only in the cases that an update lists', async () => {
    const other = createScratchFolder();
    copyFileSync(file, join(other, 'known.yaml'));
    const half = [...ids, 'bad-key/beginning-is-enough-for-the-model-list'];
    expect((await gate(other, half, '--update-baseline')).code).toBe(0);
    expect((await gate(other, half)).code).toBe(0);
    expect((await gate(other, [...half, 'bad-key/case-ignored-on-responses'])).code).toBe(1);
    expect((await gate(other, [...ids, 'bad-key/anything-taken-by-messages'])).code).toBe(1);
  });
});
