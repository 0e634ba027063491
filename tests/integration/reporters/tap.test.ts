import fc from 'fast-check';
import { Parser } from 'tap-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { createView } from '../../../runner/view/view.ts';
import { tap } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

/** Parses a TAP report with tap-parser in strict mode. */
function read(text: string) {
  const parser = new Parser({ strict: true });
  const points: { ok: boolean; name: string; directive: string; diag: unknown }[] = [];
  const junk: string[] = [];
  parser.on('assert', ({ ok, name, skip, todo, diag }) =>
    points.push({ ok, name, directive: skip ? 'skip' : todo ? 'todo' : '', diag }),
  );
  parser.on('extra', (line: string) => junk.push(line));
  parser.end(text);
  const errors = parser.results?.failures.flatMap(({ tapError }) => (tapError === null ? [] : [tapError]));
  return { points, junk, errors, bailout: parser.bailedOut };
}

describe('the TAP report', () => {
  test('has a test point for each requirement with the directive of its result, then one for the stop and one for each outdated entry or deviation', () => {
    const { points, junk, errors } = read(tap(report));
    expect(junk).toEqual([]);
    expect(errors).toEqual([]);
    const rows = createView(report).tests;
    expect(points.map(({ name }) => name)).toEqual([
      ...rows.map(({ name }) => name),
      'stopped',
      'known.yaml:3',
      'conformance.yaml:9',
    ]);
    expect(points.at(-1)).toMatchObject({
      ok: false,
      directive: '',
      diag: { message: expect.stringContaining('expired after 2026-01-31') },
    });
    const directives: Readonly<Record<string, string>> = { known: 'todo', skipped: 'skip' };
    for (const [index, { kind, cases }] of rows.entries()) {
      const ok = kind === 'passed' || kind === 'warned' || kind === 'declared' || kind === 'skipped';
      expect(points[index]).toMatchObject({ ok, directive: directives[kind] ?? '' });
      if (!ok) expect(points[index]?.diag).toMatchObject({ cases });
    }
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(['failed', 'errored', 'warned', 'declared', 'skipped', 'passed']),
    );
  });

  test('has a test point for a violated `must` for clients only if the violation fails the command', () => {
    const duties = (text: string) => read(text).points.filter(({ name }) => name.startsWith('client/'));
    expect(duties(tap(report))).toEqual([]);
    expect(duties(tap(report, { strictClient: true }))).toMatchObject([
      { ok: false, name: 'client/a', diag: { severity: 'fail' } },
    ]);
  });

  test('has the same test points whatever a gateway sends', () => {
    const shape = (text: string): unknown => {
      const { points, junk, bailout, errors } = read(text);
      return {
        junk,
        bailout,
        errors,
        points: points.map(({ ok, directive, diag }) => [ok, directive, Boolean(diag)]),
      };
    };
    const expected = shape(tap(report, { strictClient: true }));
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(shape(tap(spoilt, { strictClient: true }))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
