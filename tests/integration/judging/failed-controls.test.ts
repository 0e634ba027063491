import { beforeAll, describe, expect, test } from 'vitest';
import { allOf, isRefused, not, onOperation, refusedFor } from '../../../reference-server/conditions.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import { applyWhere, combineOverrides } from '../../../reference-server/overrides.ts';
import type { Reply } from '../../../reference-server/wire/response.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { chooseExitCode } from '../../../runner/gate/exit-code.ts';
import type { Report } from '../../../runner/report/report.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

const lenient = { strict: false, strictShould: false };
const violated = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);
const reasons = ({ cases }: Report): Set<string> =>
  new Set(cases.flatMap(({ checks }) => checks.flatMap(({ reason }) => reason ?? [])));
const judge = (decisions: Overrides): Promise<Report> => reportOn(catalog, () => ({ decisions }));

const respondWith =
  (more: Partial<Reply>): Overrides =>
  () => ({
    finish: (answer) => ({ ...answer, ...more }),
  });
const page: Partial<Reply> = {
  status: 200,
  content: { kind: 'text', mediaType: 'text/html', text: '<!doctype html><title>Chat</title>' },
};
const traceId = '00000000-0000-4000-8000-000000000001';
const error = (status: number, message: string): Partial<Reply> => ({
  status,
  headers: [['x-trace-id', traceId]],
  content: {
    kind: 'json',
    value: {
      error: { message, type: 'invalid_request_error', code: status, details: null },
      trace_id: traceId,
    },
  },
});

describe('a control that gets a web page', () => {
  test('is inconclusive if every path returns the same page', async () => {
    const report = await judge(respondWith(page));
    expect(violated(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(3);
  });
  test('is inconclusive for an operation that has no other evidence', async () => {
    const without = not(
      onOperation('chat', 'models', 'messages', 'generate', 'balance', 'usage', 'record', 'internalError'),
    );
    const report = await judge(applyWhere(without, respondWith(page)));
    expect(violated(report)).toEqual([]);
    expect(reasons(report)).toContain('`responses` returns a web page.');
    expect(chooseExitCode(report, lenient)).toBe(3);
  });
  test('is judged if the body is JSON, even with the content type text/html', async () => {
    const labelled: Overrides = (base) => ({
      finish: (answer, ctx) => {
        const { content, ...rest } = base.finish(answer, ctx);
        const text = content.kind === 'json' ? JSON.stringify(content.value) : undefined;
        return { ...rest, content: text ? { kind: 'text', mediaType: 'text/html', text } : content };
      },
    });
    const report = await judge(
      combineOverrides(applyWhere(refusedFor('unknown-path'), respondWith(page)), labelled),
    );
    expect(violated(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(0);
  });
  test('succeeds if unknown paths return 404', async () => {
    const report = await judge(applyWhere(allOf(onOperation('models'), not(isRefused)), respondWith(page)));
    expect(violated(report)).toEqual([]);
    expect(report.summary.cases.inconclusive).toBe(0);
  });
});

describe('a control that gets 404', () => {
  const good = allOf(onOperation('chat'), not(isRefused));
  test('refers to the model if the message names the model', async () => {
    const report = await judge(applyWhere(good, respondWith(error(404, 'There is no gpt-reference.'))));
    expect(violated(report)).toEqual([]);
    expect(reasons(report)).toContain('The endpoint of `chat` exists, but no usable model is known.');
    expect(chooseExitCode(report, lenient)).toBe(3);
  });
  test('violates nothing if a call without a key is refused and unknown paths return 404', async () => {
    const report = await judge(applyWhere(good, respondWith(error(404, 'Not found.'))));
    expect(violated(report)).toEqual([]);
  });
  test('refers to the endpoint if every path requires a key first', async () => {
    const guarded = applyWhere(refusedFor('unknown-path'), respondWith(error(401, 'No key.')));
    const absent = applyWhere(good, respondWith(error(404, 'Not found.')));
    expect(violated(await judge(combineOverrides(guarded, absent)))).toContain('endpoints/chat');
  });
  test('violates nothing if a billing-type endpoint finds no record', async () => {
    const nothing: Partial<Reply> = {
      status: 404,
      content: { kind: 'json', value: { error: { code: 'not_found', message: 'No usage in this range.' } } },
    };
    const report = await judge(applyWhere(allOf(onOperation('usage'), not(isRefused)), respondWith(nothing)));
    expect(violated(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(3);
  });
  test('refers to the endpoint of a stream if the plain call of the same model succeeds', async () => {
    const gone = applyWhere(
      allOf(onOperation('streamGenerate'), not(isRefused)),
      respondWith(error(404, 'Not found.')),
    );
    const report = await judge(gone);
    expect(violated(report)).toEqual(['streams/succeeds']);
    expect(report.summary.cases.inconclusive).toBe(0);
  });
  test('refers to the endpoint if only the path contains the model', async () => {
    const report = await judge(
      applyWhere(onOperation('generate'), () => ({
        finish: (answer, { request }) => ({
          ...answer,
          ...error(404, `Cannot ${request.method} ${request.path}`),
        }),
      })),
    );
    expect(violated(report)).toContain('endpoints/stated');
  });
});

test('an upstream that fails during a run does not count as a guard before the gateway', async () => {
  let refusals = 0;
  const report = await judge((base) => ({
    finish: (answer, ctx) => {
      if (answer.status === 401) refusals += 1;
      const isDown = refusals > 150 && ctx.request.path.startsWith('/v1/chat');
      return base.finish(isDown ? { ...answer, ...error(500, 'The upstream is down.') } : answer, ctx);
    },
  }));
  expect(violated(report)).toEqual([]);
  const found = [...reasons(report)].join();
  expect(found).toContain('a control got 500. The gateway or its upstream may have failed');
  expect(found).not.toContain('guard');
});
