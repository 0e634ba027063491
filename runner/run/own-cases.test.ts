import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createControls } from '../evidence/controls.ts';
import { plan } from '../plan/plan.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { deriveKeys } from '../request/keys.ts';
import { planRequests } from '../send/plan-requests.ts';
import { buildContext } from '../send/sender.ts';
import { validateOwnCases } from './own-cases.ts';

const catalog = await catalogOfPackage();
function planOwn(...sends: readonly object[]) {
  const scenarios = sends.map((send, index) => ({ id: `s${index}`, about: 'A.', send }));
  const own = {
    requirements: [],
    scenarios: [parseDataFile('ours.yaml', JSON.stringify({ about: 'A.', scenarios }))],
  };
  const promise = createPromise(catalog, { ...createEverythingProfile(catalog), own });
  return { promise, cases: plan(promise).cases };
}

test.each([
  [{ operation: 'chat', fault: 'unparseable' }, /ours\/s0.*no unparseable body/],
  [{ operation: 'chat', fault: 'left-open' }, /ours\/s0.*no left-open value/],
])('refuses a scenario that sends %j, which can not be built', (send, message) => {
  const { promise, cases } = planOwn(send);
  expect(() => validateOwnCases(cases, promise)).toThrow(message);
});

test('an own scenario sends only requests of operations, whatever its free texts are', () => {
  const url = 'http://other.example/';
  const { promise, cases } = planOwn(
    { operation: 'chat' },
    { operation: 'chat', fault: 'missing', member: url, place: `__proto__.${url}` },
    { operation: 'chat', fault: 'empty', place: '__proto__.polluted' },
    { operation: 'chat', modelNumber: url },
    { operation: 'models', header: 'query' },
    { operation: 'models', place: url, member: url, modelNumber: '-1' },
    { operation: 'none', path: 'unknown', member: url },
  );
  validateOwnCases(cases, promise);
  const context = buildContext({ promise, keys: deriveKeys(promise.profile.keys) }, createControls());
  const requests = cases
    .filter(({ suite }) => suite === 'ours')
    .flatMap((item) => planRequests(item, context, ''));
  expect(requests.map(({ request: { method, path } }) => `${method} ${path.split('?')[0]}`)).toEqual([
    ...Array.from({ length: 4 }, () => 'POST /v1/chat/completions'),
    'GET /v1/models',
    'GET /v1/models',
    `GET ${catalog.fixtures.unknownPath}`,
  ]);
  expect(JSON.stringify(requests.map(({ request }) => request.headers))).not.toContain('other.example');
  expect('polluted' in {}).toBe(false);
});
