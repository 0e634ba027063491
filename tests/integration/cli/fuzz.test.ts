import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createScratchFolder } from '../../support/command.ts';
import { plantedDefects } from '../../support/gateways/planted-defects.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const { schemas } = await catalogOfPackage();
const defect = plantedDefects['additional letter in a key'];
if (!defect) throw new Error('The planted defect does not exist.');
const server = await createReferenceServer({ decisions: defect.decisions });
afterAll(() => server.close());
const key = server.profile.keys.valid ?? '';
const env = { GATEWAY_API_KEY: key };
const target = ['--base-url', server.url, '--suite', 'fuzz'];

test('--fuzz prints flags and a curl line that repeat a violation, and reports no key', async () => {
  const cwd = createScratchFolder();
  const reporters = [
    '--reporter',
    'terminal',
    '--reporter',
    'json=report.json',
    '--reporter',
    'har=report.har',
  ];
  const { code, stdout, stderr } = await runInProcess(
    ['run', ...target, '--fuzz', '60', '--seed', '3', ...reporters],
    {
      cwd,
      env,
    },
  );
  expect(code).toBe(1);
  expect(stderr).toContain('--fuzz 60 --seed 3');
  const report: Report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
  expect(schemas.problems('report', report)).toEqual([]);
  expect(report.fuzz).toEqual({ count: 60, seed: 3 });
  const [, flags = '', id = ''] = /repeat the run with (--fuzz 60 --seed 3 --only (\S+))/.exec(stdout) ?? [];
  expect(stdout).toMatch(/request {3}number \d+ of seed 3, the smallest of \d+ forms tried/);
  expect(
    stdout + stderr + readFileSync(join(cwd, 'report.json')) + readFileSync(join(cwd, 'report.har')),
  ).not.toContain(key.slice(5, 20));

  const again = await runInProcess(
    ['run', '--base-url', server.url, ...flags.split(' '), '--reporter', 'json'],
    { env },
  );
  const found: Report = JSON.parse(again.stdout);
  expect(found.cases.map((item) => [item.id, item.outcome])).toEqual([[id, 'violates']]);

  const curl = found.cases[0]?.exchanges[0]?.curl ?? '';
  const { stdout: answer } = await promisify(execFile)('sh', ['-c', curl], {
    env: { PATH: process.env.PATH, ...env },
  });
  expect(answer).toContain('200 OK');
}, 60_000);
