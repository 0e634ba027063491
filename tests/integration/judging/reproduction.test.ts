import { describe, expect, test } from 'vitest';
import { applyRulesToGateway } from '../../../reference-server/apply-rules.ts';
import type { Setup } from '../../../reference-server/combine-setups.ts';
import { listFaults } from '../../../reference-server/faults/index.ts';
import type { Rule } from '../../../reference-server/rules/rule.ts';
import { createRules } from '../../../reference-server/rules/rules.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Pattern } from '../../../runner/report/reproduction.ts';
import { createView } from '../../../runner/view/view.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

const catalog = await catalogOfPackage();

/** A fault, or a rule, the cases that are sent, and the commands that the report shows for the failure. */
interface Row {
  readonly pattern: Pattern;
  readonly fault: string | Rule;
  readonly only: readonly string[];
  readonly commands?: RegExp;
}

const rows: readonly Row[] = [
  { pattern: 'always', fault: 'models/unlisted-404', only: ['models/unlisted'] },
  {
    pattern: 'always',
    fault: { match: { operation: 'chat', refused: 'unknown-model' }, change: { status: 500 } },
    only: ['models/unlisted'],
  },
  {
    pattern: 'always',
    fault: 'cut-off/messages-missing',
    only: ['chat/messages-missing'],
  },
  {
    pattern: 'after-wrong-key',
    fault: 'connections/refused-key-remembered',
    only: ['requests/overlapping-calls', 'auth/rejected-key'],
    commands: /^curl .*\/v1\/models.* --next .*\/v1\/responses/,
  },
  {
    pattern: 'at-once',
    fault: 'shared-state/wrong-key-of-another-request',
    only: ['auth/overlapping'],
    commands: /^for attempt in .* & done; wait$/,
  },
  {
    pattern: 'sometimes',
    fault: 'node/code-as-string',
    only: ['auth/rejected-key', 'model-error/code-integer'],
    commands: /^for attempt in .*; done$/,
  },
  {
    pattern: 'never',
    fault: { match: { operation: 'chat', refused: 'unknown-model', nth: [2] }, change: { status: 404 } },
    only: ['models/unlisted', 'models/unusual-id'],
  },
];

function setupOf(fault: Row['fault']): () => Setup {
  if (typeof fault !== 'string') return () => applyRulesToGateway(createRules([fault]));
  const found = listFaults().find(({ id }) => id === fault);
  if (!found) throw new Error(`There is no fault ${fault}.`);
  return found.setup;
}

describe('a failed request that is sent again shows on what its failure depends:', () => {
  test.each(rows)('$fault: $pattern', async ({ pattern, fault, only, commands }) => {
    const report = await reportOn(catalog, setupOf(fault), { only });
    const [cause] = createView(report).causes;
    expect(cause?.reproduction?.pattern).toBe(pattern);
    if (commands) expect(cause?.example?.exchange.curl).toMatch(commands);
    else expect(cause?.reproduction?.commands).toBeUndefined();
    expect(report.requests.sent).toBeGreaterThanOrEqual(report.reproductions?.[0]?.attempts.length ?? 0);
  });
});

test('a gateway that conforms gets no request again', async () => {
  const report = await reportOn(catalog, () => ({}), { only: ['models/unlisted'] });
  expect(report.verdict).toBe('conforms');
  expect(report.reproductions).toBeUndefined();
});

/** Topics with faults that depend on earlier or other requests. */
const withState = /^(node|shared-state|connections|unread-body|lifecycle|deleted-key|bad-key|balance)\//;
const sampleSize = 30;

describe('a fault that depends on no state fails each time:', () => {
  const faults = listFaults().filter(({ id }) => !withState.test(id));
  const step = Math.ceil(faults.length / sampleSize);
  test.each(faults.filter((_, index) => index % step === 0).map(({ id, violates }) => ({ id, violates })))(
    '$id',
    async ({ id, violates }) => {
      const report = await reportOn(catalog, setupOf(id), { only: violates });
      const patterns = (report.reproductions ?? []).map(({ pattern }) => pattern);
      expect(patterns.filter((pattern) => pattern !== 'always')).toEqual([]);
    },
  );
});
