import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCurlLine } from '../../../runner/report/curl/curl-line.ts';
import { describeRequest } from '../../../runner/report/describe-exchange.ts';
import { createRedact } from '../../../runner/report/redaction/redact.ts';

const key = 'sk-curl-lines-0123456789abcdefghijKLMNOP';
const redact = createRedact(new Map([[key, 'keys.valid']]));
const baseUrl = 'http://gateway.example';

/** Texts that a shell or curl could interpret. */
const fragments = [
  ...`$ \` " ' \\ ; & | < > ( ) { } [ ] * ? ~ # ! = % @ : , . / ^ - _ 0 a Z é 漢 😀`.split(' '),
  ...[' ', '  ', '\t', '\n', '\r', '\r\n', '\0', '\u001b', '\u0007', '\u0085', '\u202e', '\u2028', '\ufeff'],
  ...[
    '\ud800',
    '\udc00',
    "'\\''",
    '"$',
    '\\"',
    "\\'",
    '$$',
    '$(',
    '`id`',
    '$(touch pwned)',
    '${IFS}',
    '$HOME',
  ],
  ...[
    '{{',
    '}}',
    '{{$(touch pwned)}}',
    '{{`touch pwned`}}',
    '{{"; touch pwned; "}}',
    "{{'; touch pwned; '}}",
  ],
  ...['{{constructor}}', '{{__proto__}}', '{{keys.valid}}', '{{keys.foreign}}', '{{keys.valid:truncated}}'],
  ...[
    '{{braces}}',
    '{{braces}}keys.valid}}',
    '{{{{keys.valid}}}}',
    '{{keys.',
    '{{keys.client}}',
    '{{redacted}}',
  ],
  ...[
    '; touch pwned',
    '&& touch pwned',
    '| touch pwned',
    '> pwned',
    '\ntouch pwned\n',
    '#',
    ' #',
    '\\\n',
    '%s',
    '%n',
  ],
  ...[
    '\\033',
    '\\x1b',
    '\\c',
    '-o pwned',
    '@/etc/hostname',
    '##[set-output name=a]b',
    '##vso[task.complete]',
  ],
  ...[
    '::error::a',
    '[1-3]',
    '{a,b}',
    '\u200b',
    '\u00ad',
    '-',
    '--next',
    '!!',
    '!$',
    '~root',
    '$@',
    '$*',
    '$0',
    '${x:?y}',
  ],
];
const chosen = [
  ...fragments,
  ...fragments.map((text) => `a${text}b${text}`),
  ...fragments.map((text) => `{{${text}}}`),
];
const withKey = ['-v', '-va[$(touch pwned)]\u0001', '-n\u0001', '--', '-\u0001'].map(
  (text) => `${text}${key}`,
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 4 })), { maxLength: 8 })
    .map((all) => all.join('')),
);
const texts = [...chosen, ...withKey, ...fc.sample(anyText, { numRuns: 10_000, seed: 7 })];

/** Returns the bytes of a text in UTF-8, as Latin-1 text, with U+FFFD instead of each lone surrogate. */
const bytesOf = (text: string): string => Buffer.from(text.toWellFormed()).toString('latin1');

/** Returns the bytes of a header value: Latin-1 if it has no other letters. */
const fieldBytesOf = (text: string): string => (/[^\0-\xff]/.test(text) ? bytesOf(text) : text);

/**
 * Returns the bytes that curl gets when a shell runs these lines, as Latin-1 texts: its arguments, with its input instead
 * of the argument `@-`. Also returns the names of files that were created.
 */
function argumentsOf(
  shell: readonly string[],
  lines: readonly string[],
): { readonly all: string[][]; readonly made: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'curl-lines-'));
  const [programs, work] = [join(folder, 'programs'), join(folder, 'work')];
  for (const path of [programs, work]) mkdirSync(path);
  for (const name of ['awk', 'tr'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
  const script = join(folder, 'script');
  // A NUL follows each argument, and another NUL follows each line. Only an input can contain NUL, and none contains the
  // byte 255.
  writeFileSync(
    script,
    `curl() { printf '%s\\0' "$@"; case "$*" in *'--data-binary @-') tr '\\000' '\\377'; printf '\\0';; esac; printf '\\0'; }\n${lines.join('\n')}\n`,
  );
  const [program = 'sh', ...flags] = shell;
  const output = execFileSync(program, [...flags, script], {
    cwd: work,
    env: { PATH: programs, GATEWAY_API_KEY: key, GATEWAY_FOREIGN_KEY: 'foreign', HOME: '/nowhere' },
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  const all = output
    .split('\0\0')
    .slice(0, -1)
    .map((one) => one.replace(/^\0/, '').split('\0'))
    .map((args) => args.filter((arg) => arg !== '@-').map((arg) => arg.replaceAll('\xff', '\0')));
  return { all, made: readdirSync(work) };
}

const shells: readonly (readonly [string, ...string[]])[] = [['/bin/sh'], ['/bin/bash', '--posix']];

describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))(
  '$name passes exactly to curl',
  ({ shell }) => {
    test.each([
      ['the body', (text: string) => ({ body: text }), (text: string) => [bytesOf(text)]],
      [
        'the path',
        (text: string) => ({ path: `/${text}` }),
        (text: string) => [bytesOf(`${baseUrl}/${text.replace(/[\0-\x20\x7f]/g, encodeURIComponent)}`)],
      ],
      [
        'the value of a header',
        (text: string) => ({ headers: { 'x-a': `.${text}.` } }),
        (text: string) => (/[\0\r\n]/.test(text) ? [] : ['-H', fieldBytesOf(`x-a: .${text}.`)]),
      ],
    ])('%s, and executes nothing else', (_, requestOf, expected) => {
      const lines = texts.map((text) => {
        const request = { method: 'GET', path: '/', headers: {}, body: undefined, ...requestOf(text) };
        return describeRequest(request, { baseUrl, redact, keyVariables: {} }).curl;
      });
      const { all, made } = argumentsOf(shell, lines);
      expect(made).toEqual([]);
      expect(all).toHaveLength(texts.length);
      const wrong = texts.filter(
        (text, index) => !all[index]?.join('\0').includes(expected(text).join('\0')),
      );
      expect(wrong).toEqual([]);
    });
  },
);

test('a curl line is one line of visible characters without log commands', () => {
  const lines = texts.map((text) =>
    formatCurlLine({ method: 'POST', url: baseUrl, headers: {}, body: { text, bytes: 0 } }, {}),
  );
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|##\[|##vso\[|(^|\s)::[a-z]/u.test(line))).toEqual(
    [],
  );
});

test('a key in a text comes from its variable, and text that looks like a placeholder stays text', () => {
  const body = `${key} {{keys.valid}} {{keys.foreign}}`;
  const { curl } = describeRequest(
    { method: 'POST', path: '/', headers: {}, body },
    { baseUrl, redact, keyVariables: {} },
  );
  expect(curl).not.toContain(key);
  expect(argumentsOf(['/bin/sh'], [curl]).all[0]?.at(-1)).toBe(body);
});
