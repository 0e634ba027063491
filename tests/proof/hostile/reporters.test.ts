import { beforeAll, expect, test } from 'vitest';
import { redactAll } from '../../../runner/report/redaction/redact.ts';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { isReporterName, reporterNames, reporters } from '../../../runner/reporters/reporters.ts';
import { createView } from '../../../runner/view/view.ts';
import { createSampleReport, withRarities } from '../../support/sample-report.ts';

/** Texts with control sequences of terminals and commands of CI logs. */
const texts = [
  '##[error]a ##[stop-commands]b',
  '##vso[task.complete result=Succeeded;]',
  "##teamcity[buildStatus status='SUCCESS']",
  '\n::error::a\n::stop-commands::b\n ::add-mask::c::',
  '\u001b]0;title\u0007\u001b[2J\u001b[31m\u009b31m\u009d8;;http://evil.example\u009c',
  '\u202e\u2066\u200b\ufeff\u2028',
];
/** Matches the names of properties with IDs, dates, attributes or values of closed lists. */
const kinds =
  /^(outcome|outcomes|level|kind|severity|startedAt|verdict|id|case|cases|exchange|requirement|requirements|pattern|way|schemaVersion|attributes)$/;

/** Returns a value with `text` before and after each of its strings, except the properties that `kinds` matches. */
function spoil<T>(value: T, text: string): T;
function spoil(value: unknown, text: string): unknown {
  if (typeof value === 'string') return `${text}${value}${text}`;
  if (Array.isArray(value)) return value.map((item) => spoil(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, kinds.test(name) ? item : spoil(item, text)]),
  );
}

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

test.each(reporterNames.filter(isReporterName))(
  'a %s report contains no command for a log or a terminal',
  async (name) => {
    const write = await reporters[name]();
    for (const text of texts) {
      const spoilt = redactAll(spoil(report, text), (part) => part);
      const shown = joinReportText(write(createView(spoilt), { colour: false, verbose: true, width: 80 }));
      expect(shown).not.toMatch(/##(\[|vso\[|teamcity\[)/);
      const own = name === 'github' ? /^::(?!error |warning |notice )/m : /^\s*::[a-z-]+( .*)?::/m;
      expect(shown).not.toMatch(own);
      expect(shown.replace(/[\n\t]/g, '')).not.toMatch(
        /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u,
      );
    }
  },
);
