import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../runner/judge/finding.ts';
import type { Report } from '../../../runner/report/report.ts';
import { github } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/**
 * Reads workflow commands as the runner of GitHub Actions does: one on each line, with the message after the second
 * `::`.
 */
function read(text: string): Command[] {
  return text.split(/\r\n|\r|\n/).flatMap((line): Command[] => {
    const found = /^\s*::([^: ]+)(?: (.*?))?::(.*)$/.exec(line);
    if (!found) return line === '' ? [] : [{ name: 'no command', properties: {}, message: line }];
    const [, name = '', list = '', message = ''] = found;
    const pairs = list.split(',').map((pair): [string, string] => {
      const end = pair.indexOf('=');
      return [pair.slice(0, end), decodeEscapes(pair.slice(end + 1))];
    });
    return [{ name, properties: Object.fromEntries(pairs), message: decodeEscapes(message) }];
  });
}

function decodeEscapes(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    '0D': '\r',
    '0A': '\n',
    '3A': ':',
    '2C': ',',
    '25': '%',
  };
  return text.replace(/%(0D|0A|3A|2C|25)/g, (_, hex: string) => letters[hex] ?? '');
}

describe('the annotations', () => {
  test('are an error for each cause of unexpected violations, and for each entry or deviation that is outdated', () => {
    const errors = read(github(report)).filter(({ name }) => name === 'error');
    expect(errors.map(({ properties }) => properties.title)).toEqual([
      'The first half of a key is accepted on `models`',
      'Stale baseline entry',
      'Expired deviation',
    ]);
    expect(errors[1]?.properties).toEqual({ title: 'Stale baseline entry', file: 'known.yaml', line: '3' });
    expect(errors[2]?.properties).toEqual({
      title: 'Expired deviation',
      file: 'conformance.yaml',
      line: '9',
    });
  });

  test('are a warning for a `should`, and a notice for the verdict and for expected violations', () => {
    const commands = read(github(report));
    const titles = (kind: string): (string | undefined)[] =>
      commands.filter(({ name }) => name === kind).map(({ properties }) => properties.title);
    expect(titles('warning')).toContain('Expected a JSON content type, got "text/plain"');
    expect(titles('warning')).toContain('Unstable');
    expect(titles('notice')).toEqual(['Model gateway: violates', expect.stringMatching(/^Expected: auth\//)]);
  });

  test('are at most ten of a kind, the most severe first, and the last annotation lists the omitted requirements', () => {
    const [broken] = report.requirements.filter(({ outcome }) => outcome === 'violates');
    const [item] = report.cases.filter((own) =>
      own.checks.some(({ requirement }) => requirement === broken?.id),
    );
    const [exchange] = item?.exchanges ?? [];
    if (!broken || !item || !exchange?.response) throw new Error('Nothing is violated.');
    const response = { ...exchange.response, status: 200, body: { text: '{}', bytes: 2 } };
    const wrongTypes = Array.from({ length: 25 }, (_, index): Finding => {
      return { kind: 'wrong-type', expected: ['a'], actual: `t${index}` };
    });
    const served: Finding = { kind: 'wrong-status', expected: '401', actual: 200 };
    const findings = [...wrongTypes, served];
    const ids = findings.map((_, index) => `auth/made-up-${index}`);
    const many: Report = {
      ...report,
      baseline: null,
      requirements: ids.map((id) => ({ ...broken, id })),
      cases: [
        {
          ...item,
          exchanges: [{ ...exchange, response }],
          checks: findings.map((finding, index) => ({
            requirement: ids[index] ?? '',
            outcome: 'violates' as const,
            findings: [{ exchange: exchange.id, message: 'worded', finding }],
          })),
        },
      ],
    };
    const errors = read(github(many)).filter(({ name }) => name === 'error');
    expect(errors).toHaveLength(10);
    expect(errors[0]?.properties.title).toBe('An unknown key is accepted on `models`');
    expect(errors[9]?.properties).toEqual({ title: '18 more' });
    expect(errors[9]?.message.split(', ')).toHaveLength(18);
  });

  test('contain texts unchanged, even texts that look like escapes', () => {
    const text = 'a%0Ab %25 c:d,e';
    const baseline = { file: text, expected: 0, problems: [{ line: 3, message: text }] };
    expect(read(github({ ...report, baseline })).find(({ properties }) => properties.file)).toEqual({
      name: 'error',
      properties: { file: text, line: '3', title: 'Stale baseline entry' },
      message: text,
    });
  });

  test('are the same commands whatever a gateway sends', () => {
    const shape = (text: string): unknown =>
      read(text).map(({ name, properties }) => [name, Object.keys(properties)]);
    const expected = shape(github(report));
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(shape(github(spoilt))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
