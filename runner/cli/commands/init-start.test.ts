import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DataFileError } from '../../../common/data-file.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { fillIn } from '../../run/define-option.ts';
import { commands, type FlagsOf } from '../command-table.ts';
import { readInitStart } from './init-start.ts';

/** Returns the flags of `init` with an existing profile that contains this text. */
function flagsWith(text: string): FlagsOf<'init'> {
  const folder = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const profile = join(folder, 'conformance.yaml');
  writeFileSync(profile, text);
  return fillIn(commands.init.flags, { profile, output: profile });
}

test('the user is asked whether to replace the output only after the profile was validated', async () => {
  const catalog = await catalogOfPackage();
  const checkOutput = vi.fn(() => Promise.reject(new Error('The output must not be replaced.')));
  const start = (text: string): Promise<unknown> =>
    readInitStart(flagsWith(text), catalog, { asks: true, checkOutput });
  await expect(start('baseURL: http://gateway.example\n')).rejects.toThrow(DataFileError);
  expect(checkOutput).not.toHaveBeenCalled();
  await expect(start('baseUrl: http://gateway.example\n')).rejects.toThrow('must not be replaced');
});
