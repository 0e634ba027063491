import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformance, scratch } from './command.ts';

const some = ['run', '--only', 'models/list-json'];

describe('in a pipe', () => {
  test('there is neither colour nor progress', async () => {
    const { stdout, stderr } = await conformance(some);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('there is colour where the environment forces it', async () => {
    const { stdout } = await conformance(some, { env: { FORCE_COLOR: '1', CI: 'true' } });
    expect(stdout).toContain('\u001b[32m');
  });

  test('there is no colour in a file, whatever the environment says', async () => {
    const file = join(scratch(), 'report.txt');
    await conformance([...some, '--reporter', `terminal=${file}`], { env: { FORCE_COLOR: '1' } });
    expect(readFileSync(file, 'utf8')).toMatch(/✓ CONFORMS {2}http/);
  });

  test.each(['requirements', 'faults', 'operations'])('a list of %s has a line for each', async (what) => {
    const { stdout } = await conformance(['list', what]);
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => !/^\S+ {2,}\S/.test(line)),
    ).toEqual([]);
  });
});
