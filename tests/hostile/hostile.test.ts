import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/index.ts';
import type { Report } from '../../runner/report/report.ts';
import { conformance, scratch } from '../command.ts';
import type { Misbehave } from './behaviour.ts';
import { behaviours } from './behaviours/index.ts';
import { openBetween } from './between.ts';
import { mostMemory, withMemory } from './memory.ts';
import { holdTable, type Row } from './table.ts';

let gateway: ReferenceServer;
const rows = new Map<string, Row>();
beforeAll(async () => {
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

const meant = 'auth/no-key/operation=responses';
const others = [
  'auth/no-key/operation=chat',
  'auth/no-key/operation=messages',
  'auth/key-in-query/operation=responses',
];
/** Short, and yet long for an answer that comes on a loaded machine; in seconds. */
const limits = { 'first-byte': 6, idle: 5, total: 15 };
const flags = Object.entries(limits).map(([name, most]) => `--${name}-timeout=${most}s`);
/** What a case may take beyond its limit, and what a loaded machine may take beyond that; in milliseconds. */
const slackMs = 250 + 5_000;

/** A run against a gateway that does this to every request that is meant. */
async function judged(
  misbehave: Misbehave,
  isMeant: (head: string) => boolean,
  chosen: readonly string[],
): Promise<{ report: Report; megabytes: number; code: number | null; times: number }> {
  const between = await openBetween(gateway.url, isMeant, misbehave);
  const cwd = scratch();
  const keys = { valid: '${GATEWAY_API_KEY}' };
  writeFileSync(
    join(cwd, 'conformance.yaml'),
    JSON.stringify({ ...gateway.profile, baseUrl: between.url, keys }),
  );
  try {
    const { code } = await conformance(['run', '--reporter=json=report.json', ...flags, ...chosen], {
      cwd,
      env: { ...withMemory(cwd), GATEWAY_API_KEY: gateway.profile.keys.valid },
    });
    const report: Report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
    return { report, megabytes: mostMemory(cwd), code, times: between.times() };
  } finally {
    await between.close();
  }
}

describe.concurrent('a gateway that answers one request with', () => {
  test.each(behaviours)('$id', { timeout: 120_000 }, async ({ id, misbehave, outcome, told }) => {
    const { report, megabytes, times } = await judged(
      misbehave,
      isWithoutKey,
      [meant, ...others].map((one) => `--only=${one}`),
    );
    const item = report.cases.find((one) => one.id === meant);
    const durationMs = item?.exchanges[0]?.durationMs ?? Number.NaN;
    expect(times).toBeGreaterThan(0);
    expect({ outcome: item?.outcome, told: JSON.stringify(item) }).toEqual({
      outcome,
      told: expect.stringMatching(told),
    });
    expect(durationMs).toBeLessThan(limits.total * 1000 + slackMs);
    expect(others.map((one) => report.cases.find((known) => known.id === one)?.outcome)).toEqual(
      others.map(() => 'conforms'),
    );
    rows.set(id, { id, outcome, durationMs, megabytes });
  });
});

test('the table of these behaviours says what was seen', () => {
  holdTable(behaviours.flatMap(({ id }) => rows.get(id) ?? []));
});

/** Whether it is the request of the case that is meant. */
function isWithoutKey(head: string): boolean {
  return head.startsWith('POST /v1/responses ') && !/^(authorization|x-api-key|x-goog-api-key):/im.test(head);
}
