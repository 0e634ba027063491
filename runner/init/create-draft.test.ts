// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { mapOperations, type OperationId, operationIds } from '../catalog/operations.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import type { ProbedOperationResult, ProbeResult } from '../run/probe.ts';
import { createDraft } from './create-draft.ts';
import { splitProfile } from './optional-properties.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const base = { baseUrl: 'http://gateway.example', key: 'sk-draft-0123456789abcdef' };
const untouched: ProbedOperationResult = {
  kind: 'not-offered',
  headers: [],
  model: undefined,
  streams: false,
  failure: undefined,
  streamFailure: undefined,
};

function probedWith(found: Partial<Record<OperationId, Partial<ProbedOperationResult>>>): ProbeResult {
  const seen = (id: OperationId): ProbedOperationResult => ({ ...untouched, ...found[id] });
  return {
    accepted: operationIds.some((id) => seen(id).kind === 'succeeded'),
    operations: mapOperations(seen),
    diagnosis: [],
  };
}

/** A profile with all top-level properties, in an order that differs from the order of the draft. */
const everything = {
  defaults: { wait: '60s', only: ['auth/*', 'models'] },
  scenarios: './ours/scenarios/*.yaml',
  requirements: ['./ours/a.yaml', './ours/b.yaml'],
  deviations: [{ types: { invalid_api_key: 'x' }, reason: 'y' }],
  setup: {
    deleteKey: { command: ['./admin', 'delete'] },
    createKey: { request: 'POST /keys', body: { name: 'x' }, values: { key: '/token' } },
  },
  rateLimit: { operation: 'usage', requests: 200, within: '10s' },
  records: { foreign: 'r-2', own: 'r-1' },
  stream: { parameter: 'flow' },
  timeFormat: 'iso-date',
  versionHeader: 'x-version',
  timeouts: { total: '3m', idle: '45s' },
  bodies: { chat: { max_tokens: 1, ü: 'ö\u202e\n', nested: { a: [1, null, { b: true }] } } },
  operations: {
    messages: null,
    generate: 'POST /g/{+model}',
    usage: { request: 'POST /u', body: { from: '{start}' } },
    balance: 'GET /b',
  },
  models: {
    chat: { good: 'gpt: "x" #', textOnly: '007' },
    generate: { mismatched: 'm', good: 'g' },
  },
  headers: { 'x-tenant': '${TENANT}', '#odd': '1', '123': '${UNSET}' },
  keys: { valid: '${MY_KEY}', foreign: '${MY_OTHER}' },
  baseUrl: '${BASE}',
};
const environment = { TENANT: 'acme', BASE: base.baseUrl };

describe('the draft of a profile', () => {
  test('keeps all stated properties, in another order and with unusual characters', () => {
    expect(Object.keys(everything).sort()).toEqual(
      Object.keys(toMapping(promise.schemas.resolved('profile').properties)).sort(),
    );
    const stated = splitProfile(everything, environment);
    const { text } = createDraft(promise, { ...base, stated, probed: probedWith({}) });
    expect(parseDataFile('draft', text).value).toEqual(everything);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  });

  test('does not change if created again from its own properties', () => {
    const probed = probedWith({
      chat: { kind: 'succeeded', headers: ['bearer'], model: 'gpt-x', streams: true },
      messages: { kind: 'succeeded', headers: ['x-api-key'], model: 'claude-x' },
    });
    const stated = splitProfile({ baseUrl: base.baseUrl, keys: { valid: '${GATEWAY_API_KEY}' } }, {});
    const first = createDraft(promise, { ...base, stated, probed }).text;
    const value = toMapping(parseDataFile('draft', first).value);
    expect(value).toMatchObject({
      models: { chat: { good: 'gpt-x' }, messages: { good: 'claude-x' } },
      operations: { messages: 'POST /v1/messages' },
    });
    const again = createDraft(promise, { ...base, stated: splitProfile(value, {}), probed }).text;
    expect(again).toBe(first);
  });

  test('keeps a stated model for which valid requests failed, with a comment', () => {
    const probed = probedWith({
      chat: { kind: 'failed', failure: { status: 400, summary: '400 "no such model"', model: 'gone' } },
      models: { kind: 'succeeded', headers: ['bearer'] },
    });
    const stated = splitProfile({ models: { chat: 'gone' } }, {});
    const { text } = createDraft(promise, { ...base, stated, probed });
    expect(text).toMatch(/^ {4}good: gone +# a valid request failed \(400\)$/m);
  });

  test('counts only the cases of operations that work', () => {
    const stated = splitProfile({ models: { chat: 'gpt-x' } }, {});
    const casesWith = (kind: ProbedOperationResult['kind']): number =>
      createDraft(promise, {
        ...base,
        stated,
        probed: probedWith({ chat: { kind }, models: { kind: 'succeeded' } }),
      }).judged.cases.size;
    expect(casesWith('failed')).toBeGreaterThan(0);
    expect(casesWith('succeeded')).toBeGreaterThan(casesWith('failed') + 100);
  });
});
