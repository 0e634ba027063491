import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

/** A text with control sequences of terminals and commands of CI logs. */
const hostile = '\u001b]0;title\u0007\u001b[2J\u009b31m\n::error::a\n##[error]b ##vso[task.complete]c\u202e';
const quoted = JSON.stringify(hostile);
const env = { GATEWAY_API_KEY: 'sk-hostile-messages-0123456789', GATEWAY_HOSTILE: hostile };

/** A report of a shard with hostile texts. */
const report = {
  schemaVersion: 1,
  tool: { name: hostile, version: hostile },
  spec: { revision: hostile },
  target: { baseUrl: hostile },
  verdict: hostile,
  shard: { index: 1, of: 2, plan: [hostile] },
  requirements: [{ id: hostile }],
  cases: [{ id: hostile, checks: [] }],
};

const files: Readonly<Record<string, string>> = {
  'member.yaml': `baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a }\n${quoted}: 1\n`,
  'below.yaml': `baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a, ${quoted}: x }\n`,
  'address.yaml': `baseUrl: ${JSON.stringify(`http://127.0.0.1:1/${hostile}`)}\nkeys: { valid: sk-a }\n`,
  'variable.yaml': 'baseUrl: ${GATEWAY_HOSTILE}\nkeys: { valid: sk-a }\n',
  'header.yaml': `baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a }\nheaders: { ${quoted}: x }\n`,
  'operation.yaml': `baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a }\noperations: { chat: ${quoted} }\n`,
  'model.yaml': `baseUrl: http://127.0.0.1:1\nkeys: { valid: sk-a }\nmodels: { chat: ${quoted} }\n`,
  'baseline.yaml': `violations:\n  - requirement: ${quoted}\n    reason: ${quoted}\n`,
  'section.yaml': `${quoted}: []\n`,
  'rules.yaml': `- ${quoted}: 1\n`,
  'syntax.yaml': `a: [${quoted}\n`,
  'report.json': JSON.stringify(report),
  'other.json': JSON.stringify({ ...report, shard: { ...report.shard, index: 2 } }),
  'text.json': hostile,
  'capture.har': JSON.stringify({
    log: { version: '1.2', creator: { name: hostile }, entries: [{ comment: hostile }] },
  }),
  'capture.ndjson': `{"request": ${quoted}}\n${hostile}\n`,
};

const run = (profile: string, ...args: string[]) => ['run', '--profile', profile, ...args];

test.each<readonly string[]>([
  run('member.yaml'),
  run('below.yaml'),
  run('address.yaml', '--max-time', '2s'),
  run('variable.yaml', '--max-time', '2s'),
  run('header.yaml'),
  run('operation.yaml'),
  run('model.yaml', '--max-time', '2s', '--verbose'),
  run('syntax.yaml'),
  run('below.yaml', '--dry-run'),
  ['run', '--only', 'models/*', '--baseline', 'baseline.yaml'],
  ['run', '--only', 'models/*', '--baseline', 'section.yaml'],
  ['run', '--only', hostile.replaceAll('\0', '')],
  ['run', '--base-url', hostile],
  ['run', '--base-url', `http://127.0.0.1:1/${hostile}`, '--max-time', '2s'],
  ['run', '--reporter', hostile],
  ['run', `--${hostile}`],
  ['serve', '--rules', 'rules.yaml'],
  ['serve', '--fault', hostile],
  ['merge', 'report.json', 'other.json'],
  ['merge', 'text.json'],
  ['diff', 'report.json', 'other.json'],
  ['compare', 'gateways'],
  ['compare', hostile.replaceAll('\0', '')],
  ['check', 'capture.har', '--verbose'],
  ['check', 'capture.ndjson', '--verbose'],
  ['explain', hostile],
  ['list', hostile],
  [hostile],
])('conformance %s prints no control characters and no log commands', async (...args) => {
  const cwd = createScratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const version = join(cwd, 'gateways', hostile.replaceAll('/', ''));
  mkdirSync(version, { recursive: true });
  writeFileSync(join(version, 'report.json'), JSON.stringify(report));
  const { code, stdout, stderr } = await runInProcess(args, { cwd, env });
  expect(code).not.toBe(70);
  for (const text of [stdout, stderr]) {
    expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text).not.toMatch(/##(\[|vso\[)|^\s*::error::/m);
  }
});
