import { describe, expect, test } from 'vitest';
import { loadSchemas } from '../../common/schemas.ts';
import type { ClientDutyReport } from '../report/report.ts';
import { judgeSituation } from './judge-app.ts';
import type { AppRun } from './observe-app.ts';
import { readAppSituations } from './situations.ts';

const situations = readAppSituations(await loadSchemas());

function runOf(sent: Readonly<Record<string, number>>, more: Partial<AppRun> = {}): AppRun {
  return {
    exitCode: 0,
    stopped: undefined,
    sent: new Map(Object.entries(sent).map(([what, count]) => [what, { what, count }])),
    output: '',
    calls: Object.keys(sent).length,
    met: 1,
    refusals: [],
    unknownModels: [],
    client: { requests: 0, duties: [] },
    ...more,
  };
}

function dutyOf(id: ClientDutyReport['id'], kept: number, broken: number): Partial<AppRun> {
  const duty = { id, clause: '', quotes: [], level: 'should' as const, says: '', kept, broken, findings: [] };
  return { client: { requests: 1, duties: [duty] } };
}

function judge(id: string, run: AppRun, normal = runOf({ a: 1 })): string {
  const situation = situations.find((item) => item.id === id);
  if (!situation) throw new Error(`No situation has the ID ${id}.`);
  return judgeSituation(situation, run, normal).outcome;
}

describe('an app in a situation', () => {
  test.each([
    ['busy', runOf({ a: 3 }, dutyOf('client/retry-after', 2, 0)), 'kept'],
    ['busy', runOf({ a: 3 }, dutyOf('client/retry-after', 1, 1)), 'broken'],
    ['busy', runOf({ a: 1 }, { exitCode: 1 }), 'fails'],
    ['busy', runOf({ a: 1 }), 'kept'],
    ['busy', runOf({ a: 1 }, { met: 0 }), 'not-seen'],
    ['server-error', runOf({ a: 3 }, dutyOf('client/growing-gaps', 0, 1)), 'broken'],
    ['bad-request', runOf({ a: 2 }), 'broken'],
    ['bad-request', runOf({ a: 1, b: 1 }), 'kept'],
    ['no-balance', runOf({ a: 2 }), 'broken'],
    ['no-balance', runOf({ a: 1 }, { stopped: 'it ran too long' }), 'broken'],
    ['broken-stream', runOf({ a: 1 }), 'broken'],
    ['broken-stream', runOf({ a: 1 }, { exitCode: 1 }), 'kept'],
    ['stream-error', runOf({ a: 1 }), 'broken'],
  ] as const)('%s: %# is judged', (id, run, outcome) => {
    expect(judge(id, run)).toBe(outcome);
  });
  test('sends a call again only if it sends it more often than without the situation', () => {
    expect(judge('bad-request', runOf({ a: 2 }), runOf({ a: 2 }))).toBe('kept');
    // Two calls that are equal aren't a repetition, so the time between them is no pause.
    const twoTests = runOf({ a: 2 }, dutyOf('client/retry-after', 0, 1));
    expect(judge('busy', twoTests, runOf({ a: 2 }))).toBe('kept');
  });
});
