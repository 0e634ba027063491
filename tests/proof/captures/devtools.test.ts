import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { check, listFailedIds } from '../../support/check-command.ts';
import { callFromPage, openApp } from './app.ts';
import { exportFromDevTools } from './record-devtools.ts';

const folder = fileURLToPath(new URL('devtools/', import.meta.url));
const codeString = 'error-field/code-string';

// The tests that record are registered only on request, so that these tests do not count as skipped.
if (process.env.RECORD_DEVTOOLS) {
  describe('record again', () => {
    test.each([
      { name: 'page', fault: undefined },
      { name: 'page-code-string', fault: codeString },
    ])('$name', async ({ name, fault }) => {
      const gateway = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
      const app = await openApp(gateway);
      const { full, sanitized } = await exportFromDevTools(app.url, (page) =>
        callFromPage(page, app.url, gateway.profile.keys.valid),
      );
      await Promise.all([app.close(), gateway.close()]);
      if (!fault) writeFileSync(join(folder, `${name}-with-credentials.har`), full);
      writeFileSync(join(folder, `${name}.har`), sanitized);
    });
  });
}

describe('check judges an export of the developer tools of Chromium', () => {
  test.each<{ file: string; about: string; judged: number; violates: string[]; open: string[] }>([
    { file: 'page-with-credentials.har', about: 'with credentials', judged: 7, violates: [], open: [] },
    {
      file: 'page.har',
      about: 'without credentials',
      judged: 4,
      violates: [],
      open: ['The credential is not in the recording: the recorder may have removed the credential.'],
    },
    {
      file: 'page-code-string.har',
      about: 'without credentials, of a gateway that sends the code as a string',
      judged: 4,
      violates: ['model-error/code-integer'],
      open: ['The credential is not in the recording: the recorder may have removed the credential.'],
    },
  ])('$about', async ({ file, judged, violates, open }) => {
    const { code, report } = await check({ files: [join(folder, file)] });
    expect(listFailedIds(report)).toEqual(violates);
    expect(report.recording?.judged).toBe(judged);
    expect(report.recording?.notJudged.map(({ reason }) => reason)).toEqual(expect.arrayContaining(open));
    expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
    expect(code).toBe(violates.length > 0 ? 1 : 0);
  });
});
