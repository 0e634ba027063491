import { beforeAll, describe, expect, test } from 'vitest';
import { columnsOf } from '../../../common/wrap.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import { combineSetups, faults } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { createView } from '../../../runner/view/view.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';
import { terminal } from '../../support/reporters.ts';

const ids = [
  'bad-key/prefix-optional',
  'auth-answer/another-vocabulary',
  'chat-body/validation-mistyped',
  'chat-body/role-optional',
  'error-field/code-string',
  'models/unlisted-503',
  'models/mismatched-answered-by-responses',
  'request-body/malformed-500',
  'balance/402-on-responses',
  'trace/header-missing',
];
const plain = { colour: false, verbose: false };
let report: Report;
beforeAll(async () => {
  const catalog = await catalogOfPackage();
  const setups = faults.filter(({ id }) => ids.includes(id)).map(({ setup }) => setup());
  const { gateway, profileAt } = createReferenceGateway(combineSetups(setups));
  report = await runSuite(createPromise(catalog, parseProfile(profileAt('http://127.0.0.1'), catalog)), {
    retryPolicy: { ...defaultRetryPolicy, firstPauseMs: 2 },
    transport: createInProcessTransport(gateway),
  });
}, 60_000);

const linesOf = (width: number): string[] =>
  terminal(report, { ...plain, width })
    .trimEnd()
    .split('\n');

describe.each([60, 80, 120, Number.POSITIVE_INFINITY])(
  'the report of a gateway with many failures, at %d columns',
  (width) => {
    test('has at most 60 lines, and only lines with case IDs are too long', () => {
      const lines = linesOf(width);
      expect(lines.length).toBeLessThanOrEqual(60);
      expect(lines.filter((line) => columnsOf(line) > width && !/^ +case /.test(line))).toEqual([]);
    });

    test('has the verdict first and last, and the five most severe causes with an example each', () => {
      const lines = linesOf(width);
      expect([lines[0], lines.at(-1)].every((line) => line?.startsWith('✗ VIOLATES  http://'))).toBe(true);
      const heads = lines.filter((line) => /^\d\. /.test(line));
      const causes = createView(report).causes.slice(0, 5);
      expect(heads).toHaveLength(5);
      for (const [index, { title }] of causes.entries())
        expect(heads[index]).toContain(`${index + 1}. ✗ ${title.slice(0, 30)}`);
      expect(causes[0]?.severity).toBe('unauthorized-access');
      for (const label of ['where', 'expected', 'received', 'spec', 'look at'])
        expect(lines.filter((line) => line.startsWith(`   ${label}`))).toHaveLength(5);
      for (const line of lines.filter((text) => text.startsWith('   spec')))
        expect(line).toMatch(/^ {3}spec {6}[\w-]+\/[\w-]+ \(\d/);
    });
  },
);

test('contains the statuses of credentials, the counts, and the sixth cause', () => {
  const text = linesOf(80).join('\n');
  expect(text).toMatch(/prefix-less( +»200)+/);
  expect(text).toMatch(/^Requirements {2}\d+: \d+ failed, .*\d+ passed/m);
  const [, , , , , sixth] = createView(report).causes;
  expect(text.replace(/\s+/g, ' ')).toContain(`Also failed ${sixth?.title} (`);
});

test('contains a sentence about `error.code` after the verdict', () => {
  expect(linesOf(120).slice(1, 4).join('\n')).toContain('`error.code`');
});

test('names the place of the full report', () => {
  const files = [
    { name: 'junit' as const, file: 'out/j.xml' },
    { name: 'html' as const, file: 'out/r.html' },
  ];
  expect(linesOf(80).join('\n')).toContain('--verbose, or --reporter html=report.html');
  const text = terminal(report, { ...plain, width: 80, files });
  expect(text).toMatch(/^Full report {3}out\/r\.html$/m);
});

test('shows every cause if verbose', () => {
  const text = terminal(report, { ...plain, width: Number.POSITIVE_INFINITY, verbose: true });
  const causes = createView(report).causes;
  expect(causes.length).toBeGreaterThan(8);
  for (const { title, requirements } of causes) {
    expect(text).toContain(`${title}  `);
    for (const { id } of requirements)
      expect(text).toMatch(new RegExp(`^ {2,}(Violates|Does not satisfy)? ?.*${id}(,|$)`, 'm'));
  }
});
