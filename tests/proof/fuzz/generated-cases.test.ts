import { describe, expect, test } from 'vitest';
import { variants } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Attributes } from '../../../runner/catalog/condition.ts';
import { isObservedOnly } from '../../../runner/catalog/requirements.ts';
import { isInvalidPart } from '../../../runner/catalog/several-faults.ts';
import { editKey, generatedKinds } from '../../../runner/exchange/generation.ts';
import { indexCombinations } from '../../../runner/plan/choose-covering.ts';
import { estimate, isBadKey } from '../../../runner/plan/estimate.ts';
import { generateCases } from '../../../runner/plan/generated/generate.ts';
import { excludeUnsentCases } from '../../../runner/plan/select.ts';
import { breakText, buildBody } from '../../../runner/request/body.ts';
import { createFullPlan } from '../../support/full-plan.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

const { promise, plan } = await createFullPlan();
const { profile } = promise;
const planned = generateCases(plan, { count: 600, seed: 5 }, promise).map((item) => item.planned);
const steps = planned.flatMap((item) => item.steps);
const sorted = (attributes: Attributes): string => text(Object.entries(attributes).sort());
const text = (value: unknown): string => JSON.stringify(value);

describe('generated cases', () => {
  test('are the same for the same seed, whatever their number, and different for another seed', () => {
    const again = generateCases(plan, { count: 60, seed: 5 }, promise).map((item) => item.planned);
    expect(text(again.map((item) => item.steps))).toBe(text(planned.slice(0, 60).map((item) => item.steps)));
    const others = generateCases(plan, { count: 60, seed: 6 }, promise).map((item) => item.planned);
    expect(
      others.filter((item, index) => text(item.steps) === text(again[index]?.steps)).length,
    ).toBeLessThan(6);
  });

  test('include every kind, have at least one `must` each, and have known attributes', () => {
    expect(new Set(planned.map(({ id }) => id.split('/')[1]))).toEqual(new Set(generatedKinds));
    expect(planned.filter(({ checks }) => checks.length === 0)).toEqual([]);
    expect(
      planned.flatMap(({ checks }) => checks.filter(({ requirement }) => requirement.level !== 'must')),
    ).toEqual([]);
    const complaints = steps.flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([name, value]) => promise.attributes.complaint(name, value) ?? []),
    );
    expect(complaints).toEqual([]);
  });

  test('are not billable, and --safe omits the cases with a wrong key', () => {
    expect(estimate(planned, { burst: 0, rounds: 1 }).billable).toBe(0);
    const { cases } = excludeUnsentCases(
      { cases: [...plan.cases, ...planned] },
      { safe: true, isRateLimited: true, isDivided: false },
      indexCombinations(promise),
    );
    const badKeys = cases.filter(
      ({ generatedRequest, attributes }) => generatedRequest && isBadKey(attributes),
    );
    expect(badKeys.length).toBeGreaterThan(20);
    expect(badKeys.filter(({ notApplicable }) => !notApplicable)).toEqual([]);
    expect(cases.filter(({ generatedRequest, notApplicable }) => generatedRequest && notApplicable)).toEqual(
      badKeys,
    );
  });

  test('combine attributes as no request of the suites does, and list the combined attributes', () => {
    const combined = planned.filter(({ generatedRequest }) => generatedRequest?.combined);
    expect(combined.length).toBeGreaterThan(100);
    const sent = new Set(plan.cases.flatMap((item) => item.steps.map((step) => sorted(step.attributes))));
    expect(combined.filter(({ attributes }) => sent.has(sorted(attributes)))).toEqual([]);
    for (const { generatedRequest, attributes, steps } of combined) {
      expect(attributes).toMatchObject(generatedRequest?.combined ?? {});
      expect(steps.map(({ generated }) => generated)).toEqual([undefined]);
    }
    const faultyParts = combined.map(
      ({ attributes }) => promise.attributes.parts.filter((part) => isInvalidPart(part, attributes)).length,
    );
    expect(faultyParts.filter((count) => count > 1).length).toBeGreaterThan(50);
    expect(new Set(combined.map(({ attributes }) => attributes.operation)).size).toBe(9);
  });

  test('leave out combinations that the specification leaves open', () => {
    const many = generateCases(plan, { count: 4000, seed: 3 }, promise)
      .map((item) => item.planned)
      .filter(({ generatedRequest }) => generatedRequest?.combined);
    expect(many.filter(({ attributes }) => isObservedOnly(attributes, promise))).toEqual([]);
    const unreadable = many.filter(({ attributes: { fault = '' } }) =>
      ['unparseable', 'empty-body', 'non-object'].includes(fault),
    );
    expect(unreadable.length).toBeGreaterThan(50);
    // Only a body that can be parsed requests a stream or a model. The combinations of the suites are excepted.
    const carried = unreadable.filter(
      ({ attributes: { operation, streamed, model, header } }) =>
        operation !== 'streamGenerate' &&
        ((streamed === 'true' && header !== 'any') || (model !== 'good' && operation !== 'generate')),
    );
    expect(carried.map(({ generatedRequest }) => generatedRequest?.combined)).toEqual([]);
    // Only headers that change nothing go with a valid credential.
    const harmless = ['none', 'encodings', 'tracing', 'origin', 'forwarded'];
    const added = many.filter(({ attributes: { added: name = '' } }) => !harmless.includes(name));
    expect(
      added.filter(({ attributes: { key, accepted } }) => key === 'good' && accepted === 'true'),
    ).toEqual([]);
    expect(many.filter(({ attributes: { key } }) => key === 'foreign')).toEqual([]);
  });

  test('with an invalid body have one problem, at the named place', () => {
    const bodies = steps.filter(({ generated }) => generated?.kind === 'body');
    expect(bodies.length).toBeGreaterThan(50);
    for (const { attributes, generated } of bodies) {
      const operation = promise.operations.chat;
      const body = buildBody(attributes, {
        fixtures: promise.fixtures,
        profile,
        operation,
        model: 'm',
        generated,
      });
      const problems = promise.schemas.problems('chat-request', JSON.parse(body));
      const places = problems.map(({ pointer, params }) =>
        [
          ...pointer.split('/').slice(1),
          ...('missingProperty' in params ? [params.missingProperty] : []),
        ].join('.'),
      );
      expect(places).toEqual([String(attributes.place).replaceAll('[', '.').replaceAll(']', '')]);
    }
  });

  test('whose only invalid part is the credential have a valid body', () => {
    const prompts = steps.filter(({ generated }) => generated?.kind === 'prompt');
    expect(prompts.length).toBeGreaterThan(20);
    for (const { attributes, generated } of prompts) {
      const operation = Object.values(promise.operations).find(({ id }) => id === attributes.operation);
      if (!operation) throw new Error(`The operation ${attributes.operation} does not exist.`);
      const body = buildBody(attributes, {
        fixtures: promise.fixtures,
        profile,
        operation,
        model: 'm',
        generated,
      });
      expect(promise.schemas.problems(`${operation.body}-request`, JSON.parse(body))).toEqual([]);
    }
  });

  test('with a malformed body have no valid JSON', () => {
    const valid = text({ model: 'a"b\\', stop: [1, 2], messages: [{ role: 'user', content: 'é{[' }] });
    for (const { generated } of steps) {
      if (generated?.kind !== 'malformed') continue;
      expect(() => JSON.parse(breakText(valid, generated.broken))).toThrow();
    }
  });

  test('have keys, model IDs and records that do not exist', () => {
    const own = Object.values(profile.keys);
    for (const { generated, attributes } of steps) {
      if (generated?.kind === 'key') expect(own).not.toContain(editKey(profile.keys.valid, generated.edit));
      if (generated?.kind === 'model') expect(generated.id).toMatch(/^conformance-.*[0-9a-f]{16}$/u);
      if (generated?.kind !== 'parameters' || generated.values.request_id === undefined) continue;
      const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
      expect(isUuid.test(generated.values.request_id)).toBe(attributes.record === 'random');
      const digits = generated.values.request_id.replaceAll('-', '');
      expect(/^[0-9a-f]{32}$/.test(digits)).toBe(attributes.record === 'random');
    }
  });
});

describe('conforming variants', () => {
  // All variants were tried with several seeds. The generated requests differ most for these variants.
  const sample = [
    'requests/strict',
    'requests/unvalidated-elsewhere',
    'orders/model-before-key',
    'accept/pages-for-browsers',
    'keys/alike',
    'models/ids-with-odd-characters',
    'models/ids-raw-in-paths',
    'messages/go',
    'profiles/bare',
  ];
  test.each(sample)('%s: no violation is reported', async (id) => {
    const variant = variants.find((one) => one.id === id);
    if (!variant) throw new Error(`The variant ${id} does not exist.`);
    const { cases } = await reportOn(await catalogOfPackage(), variant.setup, {
      fuzz: { count: 200, seed: 11 },
    });
    const reported = cases.filter(({ outcome }) => outcome === 'violates' || outcome === 'inconclusive');
    expect(reported.map((item) => item.id)).toEqual([]);
    expect(
      cases.filter(({ suite, outcome }) => suite === 'fuzz' && outcome === 'conforms').length,
    ).toBeGreaterThan(100);
  });
});
