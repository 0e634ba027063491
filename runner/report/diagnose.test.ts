import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import { type Control, type Controls, createControls, type Execution } from '../evidence/controls.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './report.ts';

const { operations, errors } = await catalogOfPackage();

function answered(path: string, status: number, message?: string): Exchange {
  const text = message === undefined ? '' : JSON.stringify({ error: { message } });
  const content =
    message === undefined ? { kind: 'text' as const } : { kind: 'json' as const, value: JSON.parse(text) };
  return {
    id: path,
    attributes: {},
    model: undefined,
    request: { method: path === '/v1/models' ? 'GET' : 'POST', path, headers: {}, body: undefined },
    result: { kind: 'answer', answer: { status, headers: {}, text, size: 0, content, pieces: 1 } },
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
}

/** Returns a round with these results of controls and without exchanges. */
function executionOf(controls: Controls): Execution {
  return {
    exchanges: new Map(),
    others: [],
    controls,
    incomplete: new Map(),
    leftovers: [],
    stopped: undefined,
  };
}

function diagnosisOf(
  found: Partial<Record<OperationId, Control>>,
  baseUrl = 'http://gateway.example',
): Diagnosis[] {
  const controls = createControls();
  for (const id of operationIds) {
    const control = found[id];
    if (control) controls.plain.set(id, control);
  }
  return diagnose(executionOf(controls), { baseUrl, operations, errors, redact: (text) => text });
}

const noModels = {
  chat: { kind: 'no-model' },
  responses: { kind: 'no-model' },
  messages: { kind: 'no-model' },
  generate: { kind: 'no-model' },
} as const;

describe('diagnoses if only the model list was requested', () => {
  const remedy =
    'The operations chat, responses, messages and generate were not tried, because no model is known. Set `models.chat.good` in the profile, or add `--model chat=ID`.';

  test('name the remedy if the model list returned 404', () => {
    const [only, ...others] = diagnosisOf({
      ...noModels,
      models: { kind: 'absent', exchange: answered('/v1/models', 404, 'Not Found') },
    });
    expect(others).toEqual([]);
    expect(only).toEqual({
      kind: 'wrong-path',
      operation: undefined,
      message: `At http://gateway.example, GET /v1/models returned 404 "Not Found". ${remedy}`,
    });
  });

  test('do not state that every operation refuses the key if the model list refused the key', () => {
    const [only] = diagnosisOf({
      ...noModels,
      models: { kind: 'refused', exchange: answered('/v1/models', 401) },
    });
    expect(only?.kind).toBe('key-refused');
    expect(only?.message).toMatch(/^The key is rejected \(GET \/v1\/models returned 401\)\. Check that /);
    expect(only?.message).not.toContain(remedy);
  });

  test('name the failure and the remedy if the model list failed', () => {
    const found = diagnosisOf({
      ...noModels,
      models: { kind: 'failed', exchange: answered('/v1/models', 500, 'immutable') },
    });
    expect(found.map(({ kind, operation }) => [kind, operation])).toEqual([
      ['control-failed', 'models'],
      ['control-failed', 'chat'],
      ['no-good-call', undefined],
    ]);
    expect(found[0]?.message).toContain('No control of the operation `models` succeeded (500 "immutable")');
    expect(found[1]?.message).toBe(remedy);
  });
});

test('name the patterns of the model list, although the list itself was accepted', () => {
  const unknown: Control = { kind: 'no-model', pattern: 'gpt*' };
  const [only, ...others] = diagnosisOf({
    models: { kind: 'succeeded', header: 'bearer', step: { attributes: {}, control: false, expects: [] } },
    chat: unknown,
    responses: unknown,
    messages: unknown,
  });
  expect(others).toEqual([]);
  expect(only).toEqual({
    kind: 'control-failed',
    operation: 'chat',
    message:
      'The operations chat and responses were not tried, because no model is known: the model list has patterns such as "gpt*". Set `models.chat.good` in the profile, or add `--model chat=ID`.',
  });
});

describe('if every operation returns 404 or 405', () => {
  const absent = (path: string, status: number): Control => ({
    kind: 'absent',
    exchange: answered(path, status),
  });

  test('groups the requests by result', () => {
    const [only] = diagnosisOf({
      chat: absent('/v1/chat/completions', 404),
      responses: absent('/v1/responses', 405),
      models: absent('/v1/models', 404),
    });
    expect(only?.message).toBe(
      'At http://gateway.example, POST /v1/chat/completions and GET /v1/models returned 404, POST /v1/responses returned 405. Check the base URL.',
    );
  });

  test('gives a hint if the base URL contains the beginning of a path', () => {
    const [only] = diagnosisOf(
      { models: absent('/v1/models', 404) },
      'http://gateway.example/v1/chat/completions',
    );
    expect(only?.message).toContain('Did you mean http://gateway.example?');
    expect(only?.message).not.toContain('Check the base URL.');
  });
});

test('reports a model list that is a web page, and asks to check the base URL', () => {
  const page = answered('/v1/models', 200);
  const [only] = diagnosisOf({ ...noModels, models: { kind: 'web-page', exchange: page } });
  expect(only?.kind).toBe('wrong-path');
  expect(only?.message).toBe(
    'At http://gateway.example, GET /v1/models returned 200 with a web page. Check the base URL.',
  );
});

test('reports an unknown model and a web page with the operation', () => {
  const found = diagnosisOf({
    chat: { kind: 'failed', exchange: answered('/v1/chat/completions', 400) },
    messages: { kind: 'web-page', exchange: answered('/v1/messages', 200) },
    streamGenerate: {
      kind: 'unknown-model',
      exchange: { ...answered('/v1beta/m', 404), model: 'gem' },
    },
  }).map(({ operation, message }) => [operation, message]);
  expect(found[1]).toEqual([
    'messages',
    expect.stringContaining('The response of the operation `messages` is a web page'),
  ]);
  expect(found[2]).toEqual([
    'streamGenerate',
    expect.stringMatching(/does not know the model "gem".*`models\.generate\.good`/),
  ]);
});

test.each([
  [401, 'The gateway may have blocked this address, or the key may no longer be valid.'],
  [403, 'The gateway may have blocked this address.'],
  [503, 'The gateway or its upstream may be down.'],
])('reports a %i for the valid key after wrong keys: %s', (status, says) => {
  const controls = createControls();
  controls.lockedOut.set('chat', answered('/v1/chat/completions', status));
  const [only] = diagnose(executionOf(controls), {
    baseUrl: 'http://x',
    operations,
    errors,
    redact: (text) => text,
  });
  expect(only?.message).toContain(says);
});

test('reports only once that a valid key is rejected later, and does not report a blocked address', () => {
  const controls = createControls();
  const exchange = answered('/v1/chat/completions', 401, 'expired');
  const attributes = { key: 'good', accepted: 'true' };
  controls.rejected.set('chat', exchange).set('models', exchange);
  controls.lockedOut.set('chat', { ...exchange, attributes }).set('models', answered('/v1/models', 503));
  const found = diagnose(executionOf(controls), {
    baseUrl: 'http://x',
    operations,
    errors,
    redact: (text) => text,
  });
  expect(found.map(({ kind, operation }) => [kind, operation])).toEqual([
    ['key-refused', undefined],
    ['locked-out', 'models'],
  ]);
  expect(found[0]?.message).toContain('`keys.valid` at first, but later rejected the key (401 "expired")');
});

test('reports that no control succeeded if the controls failed with different statuses', () => {
  const failed = {
    chat: { kind: 'refused', exchange: answered('/v1/chat/completions', 401) },
    models: { kind: 'failed', exchange: answered('/v1/models', 500) },
  } as const;
  const kinds = diagnosisOf(failed).map(({ kind }) => kind);
  expect(kinds).toEqual(['control-failed', 'control-failed', 'no-good-call']);
});

test('reports a key that every operation rejects', () => {
  const [only] = diagnosisOf({
    chat: { kind: 'refused', exchange: answered('/v1/chat/completions', 401, 'bad key') },
    models: { kind: 'refused', exchange: answered('/v1/models', 401, 'bad key') },
  });
  expect(only?.message).toMatch(/^Every operation rejects the key \(401 "bad key"\)\. Check that /);
});
