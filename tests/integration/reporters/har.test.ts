import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import schemas from 'har-schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { notSentReason } from '../../../runner/exchange/exchange.ts';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { har } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

/** The properties of an entry that the tests read. */
interface Entry {
  readonly _id: string;
  readonly _case?: string;
  readonly startedDateTime: string;
  readonly time: number;
  readonly comment?: string;
  readonly timings: Readonly<Record<string, number>>;
  readonly request: { readonly url: string; readonly queryString: readonly object[] };
  readonly response: { readonly status: number; readonly _error?: string };
}

/** Matches the JSON escape of a lone surrogate. */
const loneSurrogate = /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i;

const ajv = new Ajv({ strict: false, schemas: [draft06, ...Object.values(schemas)] });
addFormats.default(ajv);
const validate = ajv.getSchema('har.json#');

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

function entriesOf(text: string): readonly Entry[] {
  return JSON.parse(text).log.entries;
}

function problems(text: string): unknown {
  return validate?.(JSON.parse(text)) ? [] : validate?.errors;
}

describe('the HAR report', () => {
  test('is valid under the schema of HAR 1.2', () => {
    expect(problems(joinReportText(har(report)))).toEqual([]);
    expect(problems('{"log":{"version":"1.2"}}')).not.toEqual([]);
  });

  test('contains every exchange once, in chronological order and with its case', () => {
    const entries = entriesOf(joinReportText(har(report)));
    const sent = [...report.cases.flatMap((item) => item.exchanges), ...report.others].flatMap(
      ({ id, earlierAnswers = [] }) => [...earlierAnswers.map((_, index) => `${id}~${index + 1}`), id],
    );
    expect(entries.map(({ _id }) => _id).sort()).toEqual([...new Set(sent)].sort());
    const times = entries.map(({ startedDateTime }) => Date.parse(startedDateTime));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const own = report.cases.find(({ suite, exchanges }) => suite !== 'pooled' && exchanges.length > 0);
    expect(entries.find(({ _id }) => _id === own?.exchanges[0]?.id)?._case).toBe(own?.id);
  });

  test('has an exchange of a pooled case only once, and no request that was not sent', () => {
    const [first, second] = report.cases.filter(({ exchanges }) => exchanges.length > 0);
    if (!first || !second) throw new Error('Too few cases were sent.');
    const failure = { reason: notSentReason, detail: 'It was not sent.' };
    const unsent = second.exchanges.map((own) => ({ ...own, response: null, failure }));
    const cases = [first, { ...second, exchanges: [...first.exchanges, ...unsent] }];
    const ids = entriesOf(joinReportText(har({ ...report, cases, others: [] }))).map(({ _id }) => _id);
    expect(ids).toEqual(first.exchanges.map(({ id }) => id));
  });

  test('contains an exchange without a response, with status 0 and an error', () => {
    const failed = entriesOf(joinReportText(har(report))).filter(({ response }) => response.status === 0);
    expect(failed.map(({ response }) => response._error)).toEqual([
      'timeout: No response was received within 10 s.',
    ]);
  });

  test('has timings that add up to the time, none below -1', () => {
    for (const { time, timings } of entriesOf(joinReportText(har(report)))) {
      const known = Object.values(timings).filter((value) => value !== -1);
      expect(known.every((value) => value >= 0)).toBe(true);
      expect(known.reduce((sum, value) => sum + value, 0)).toBe(time);
    }
  });

  test('states no duration for an earlier attempt, and marks the time of a retried exchange', () => {
    const [exchange] = report.others;
    if (!exchange?.response) throw new Error('The first exchange has no response.');
    const retried = {
      ...exchange,
      durationMs: 700,
      earlier: [null, 503],
      earlierAnswers: [{ ...exchange.response, status: 503 }],
    };
    const text = joinReportText(har({ ...report, cases: [], others: [retried] }));
    expect(problems(text)).toEqual([]);
    expect(entriesOf(text)).toMatchObject([
      {
        _id: `${exchange.id}~2`,
        time: 0,
        timings: { wait: 0 },
        comment: expect.stringContaining('not recorded'),
      },
      { _id: exchange.id, time: 700, comment: expect.stringContaining('can include earlier attempts') },
    ]);
    expect(
      entriesOf(joinReportText(har({ ...report, cases: [], others: [exchange] })))[0],
    ).not.toHaveProperty('comment');
  });

  test.each([
    [
      'http://h.example/v1/models?key={{keys.valid}}&a=b%20c',
      'http://h.example/v1/models?key=%7B%7Bkeys.valid%7D%7D&a=b%20c',
    ],
    ['http://[::1]:8080/v1/a|b[c] d', 'http://[::1]:8080/v1/a%7Cb%5Bc%5D%20d'],
    ['http://h.example/100%/é#x', 'http://h.example/100%25/%C3%A9%23x'],
  ])('writes the URL %s as a valid URI', (url, expected) => {
    const [first] = report.others;
    const spoilt = report.others.slice(0, 1).map((own) => ({ ...own, request: { ...own.request, url } }));
    expect(first).toBeDefined();
    const text = joinReportText(har({ ...report, cases: [], others: spoilt }));
    expect(entriesOf(text)[0]?.request.url).toBe(expected);
    expect(problems(text)).toEqual([]);
  });

  test('stays valid and well-formed whatever a gateway sends', () => {
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        const text = joinReportText(har(spoilt));
        expect(problems(text)).toEqual([]);
        // A body can contain escapes as text.
        expect(text.replaceAll('\\\\', '')).not.toMatch(loneSurrogate);
      }),
      { numRuns: 30 },
    );
  });
});
