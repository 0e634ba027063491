import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatCode, formatProse } from '../../../common/markdown-text.ts';
import type { CaseReport, CheckReport, Report } from '../../../runner/report/report.ts';
import { markdown } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

/** Returns the HTML that GitHub renders from a text, before GitHub searches for mentions. */
function page(text: string): string {
  return micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** Returns the tags of a page in order, with their attributes. */
function tags(html: string): string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

/** Returns the text outside of code, where GitHub searches for mentions and references. */
function outsideCode(html: string): string {
  return html.replace(/<code[^>]*>[^<]*<\/code>/g, '').replace(/<[^>]*>/g, '');
}

describe('the Markdown report', () => {
  test('states that the baseline expects all violations', () => {
    const cases = report.cases.map(
      (item): CaseReport => ({
        ...item,
        checks: item.checks
          .filter(({ outcome }) => outcome !== 'inconclusive')
          .map((own) => ({ ...own, expected: 'Known.' })),
      }),
    );
    const baseline = { file: 'known.yaml', expected: 2, problems: [] };
    const deviations = { parts: [], problems: [] };
    expect(markdown({ ...report, cases, baseline, deviations })).toMatch(
      /^## ✅ The gateway passed with \d+ expected violations \(baseline\) in a selection: /,
    );
    expect(markdown({ ...report, cases })).not.toContain('### Failed');
  });

  test('has fewer than 60,000 characters, and states how much was omitted', () => {
    const [requirement] = report.requirements;
    const [item] = report.cases.filter(({ outcome }) => outcome === 'violates');
    const [check] = item?.checks ?? [];
    if (!requirement || !item || !check) throw new Error('Nothing is violated.');
    const long = '`@#'.repeat(30_000);
    const ids = Array.from({ length: 300 }, (_, index) => `auth/made-up-${index}${long}`);
    const [found] = check.findings;
    const each = (id: string): CheckReport => ({
      ...check,
      requirement: id,
      outcome: 'violates',
      // A different type makes each failure a separate cause.
      findings: [
        {
          exchange: found?.exchange ?? '',
          message: long,
          finding: { kind: 'wrong-type', expected: [long], actual: id },
        },
      ],
    });
    const open = ids.map((reason) => ({
      ...check,
      outcome: 'inconclusive' as const,
      findings: [],
      reason,
      add: long,
    }));
    const huge: Report = {
      ...report,
      target: { baseUrl: long },
      stopped: { kind: 'time', reason: long },
      diagnosis: ids.map((message) => ({ kind: 'stopped', operation: undefined, message })),
      baseline: { file: long, expected: 0, problems: ids.map((message) => ({ line: 1, message })) },
      deviations: {
        parts: ids.map((id) => ({ id, about: long, reason: long, place: long, used: 1, judged: 1 })),
        problems: ids.map((message) => ({ place: long, status: 'stale', message })),
      },
      requirements: ids.map((id) => ({ ...requirement, id, says: long, clause: long, expects: long })),
      cases: [
        {
          ...item,
          id: long,
          unstable: true,
          checks: [...ids.map(each), ...open],
        },
        { ...item, checks: ids.map((id) => ({ ...each(id), outcome: 'warns' as const })) },
        { ...item, checks: ids.map((id) => ({ ...each(id), expected: long })) },
      ],
    };
    const text = markdown(huge);
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('### Failed (300)');
    expect(text).toMatch(/\*and \d+ more\*/);
  });

  test('has the same tags, and no mention or reference, whatever a gateway sends', () => {
    const expected = tags(page(markdown(report)));
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        const html = page(markdown(spoilt));
        // The inserted text can add or remove code spans in the sentence of a requirement.
        const withoutCode = (all: readonly string[]): string[] =>
          all.filter((tag) => !/^<\/?code>$/.test(tag));
        expect(withoutCode(tags(html))).toEqual(withoutCode(expected));
        expect(outsideCode(html)).not.toMatch(/(^|\W)[@#]\w/);
      }),
      { numRuns: 50 },
    );
  });
});

describe('foreign text', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    [' ', '(empty)'],
    ['two\nlines', '`two lines`'],
    ['x'.repeat(400), `\`${'x'.repeat(299)}…\``],
  ])('%j becomes the code span %j', (text, expected) => {
    expect(formatCode(text)).toBe(expected);
  });

  test.each([
    ['A key in `Authorization` is refused.', 'A key in `Authorization` is refused.'],
    ['An odd ` backtick', "An odd ' backtick"],
    ['*a* <b> @c #1', '\\*a\\* \\<b\\> \\@&#8203;c \\#&#8203;1'],
    ['1. first', '1\\. first'],
  ])('%j becomes the sentence %j', (text, expected) => {
    expect(formatProse(text)).toBe(expected);
  });
});
