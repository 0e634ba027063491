import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { chromiumPath, isToolMissing } from '../../support/tools.ts';
import { createUserProject } from '../../support/user-project.ts';

const document = readFileSync(join(packageRoot, 'docs/console.md'), 'utf8');
const [vitestExample = '', playwrightExample = ''] = [...document.matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, text]) => text ?? '',
);

describe('the examples in docs/console.md', () => {
  const { run } = createUserProject({
    'app.test.ts': vitestExample,
    'app.spec.ts': playwrightExample,
    'vitest.config.ts': "export default { test: { include: ['*.test.ts'] } };",
    'playwright.config.ts': `export default {
      testMatch: '*.spec.ts',
      reporter: 'json',
      use: { launchOptions: { executablePath: ${JSON.stringify(chromiumPath)}, args: ['--no-sandbox'] } },
    };`,
  });

  test('compile', async () => {
    await run('typescript/bin/tsc', '-p', 'tsconfig.json');
  });

  test('pass in Vitest', async () => {
    const { stdout } = await run('vitest/vitest.mjs', 'run', '--reporter', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
  });

  test('pass in Playwright', async ({ skip }) => {
    skip(isToolMissing('chromium'), 'Chromium is not installed.');
    const { stdout } = await run('@playwright/test/cli.js', 'test');
    expect(JSON.parse(stdout).stats).toMatchObject({ expected: 1, unexpected: 0, flaky: 0 });
  });

  test('contain only situations that the gateway accepts', async () => {
    const gateway = await createReferenceServer({ console: true });
    const situations = [...document.matchAll(/^\| `(\{.*?\})` \|/gm)].map(([, text = '']) =>
      // The document shows JavaScript, with single quotes and with names without quotes.
      JSON.parse(text.replaceAll("'", '"').replace(/(\w+):(?= )/g, '"$1":')),
    );
    expect(situations).toHaveLength(7);
    for (const situation of situations) gateway.situations.add(situation);
    expect(gateway.situations.list()).toHaveLength(7);
    await gateway.close();
  });
});
