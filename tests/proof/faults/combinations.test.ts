import { expect, test } from 'vitest';
import type { KeyRole } from '../../../common/profile-values.ts';
import { withDecisions } from '../../../reference-server/combine-setups.ts';
import {
  allOf,
  byHeader,
  hasCredentialHeader,
  isStreamed,
  not,
  onOperation,
  type RequestCondition,
  refusedFor,
} from '../../../reference-server/faults/conditions.ts';
import {
  applyWhere,
  checkFirst,
  combineOverrides,
  setStatus,
} from '../../../reference-server/faults/overrides.ts';
import type { RequestFailure } from '../../../reference-server/gateway/context.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import type { HeaderName } from '../../../reference-server/gateway/operations.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { judgeGateway } from '../../support/gateways/judge-gateway.ts';

// A real defect often needs two conditions together, such as one header and a streamed call. Each gateway here is
// correct except for requests that satisfy all conditions of one combination.
type Failure = RequestFailure['kind'];
interface Combination {
  readonly name: string;
  /** The patterns of the cases of the default run that can find the defect. */
  readonly only: readonly string[];
  readonly overrides: Overrides;
}

const calls = [
  { operation: 'chat', headers: ['bearer', 'x-api-key'], streams: [false, true] },
  { operation: 'responses', headers: ['bearer', 'x-api-key'], streams: [false, true] },
  { operation: 'messages', headers: ['bearer', 'x-api-key'], streams: [false, true] },
  {
    operation: 'generate',
    headers: ['bearer', 'x-api-key', 'x-goog-api-key'],
    streams: [false],
  },
  {
    operation: 'streamGenerate',
    headers: ['bearer', 'x-api-key', 'x-goog-api-key'],
    streams: [true],
  },
] as const satisfies readonly {
  operation: string;
  headers: readonly HeaderName[];
  streams: readonly boolean[];
}[];

const failures: readonly Failure[] = [
  'unknown-model',
  'unsupported-model',
  'mismatched-model',
  'image-refused',
  'low-balance',
  'unparseable-body',
  'bad-key',
];

const suites = ['auth', 'requests', 'models', 'balance'];
const casesOf = (operation: string): string[] => suites.map((suite) => `${suite}/*operation=${operation}*`);
const streamedIs = (streamed: boolean): RequestCondition => (streamed ? isStreamed : not(isStreamed));

/**
 * Returns the errors that a defect can apply to. If the body requests the stream, errors before the body is parsed
 * are excluded, since the gateway has not read yet whether a stream is requested.
 */
function failuresOf(operation: string, streamed: boolean): readonly Failure[] {
  const isInBody = streamed && operation !== 'streamGenerate';
  return isInBody ? failures.filter((kind) => kind !== 'unparseable-body' && kind !== 'bad-key') : failures;
}

/**
 * Combinations with a wrong status of one kind of error, on one operation, with one header, and only streamed or only
 * not streamed.
 */
const wrongForOneHeader: Combination[] = calls.flatMap(({ operation, headers, streams }) =>
  headers.flatMap((header) =>
    streams.flatMap((streamed) =>
      failuresOf(operation, streamed).map((failure) => ({
        name: `${failure} on ${operation} with ${header}${streamed ? ', streamed' : ''}`,
        only: casesOf(operation),
        overrides: applyWhere(
          allOf(onOperation(operation), byHeader(header), streamedIs(streamed), refusedFor(failure)),
          setStatus(418),
        ),
      })),
    ),
  ),
);

/**
 * Matches requests with a key of this role in an accepted header, even before the check of the credential. The role
 * `undefined` stands for an unknown key.
 */
const presents =
  (role: KeyRole | undefined): RequestCondition =>
  ({ request: { headers }, operation, state }) => {
    const accepted = [headers.authorization?.replace(/^Bearer /, ''), headers['x-api-key']];
    const sent = [...accepted, ...(operation?.family === 'C' ? [headers['x-goog-api-key']] : [])];
    return sent.some(
      (value) => value !== undefined && state.keys.find((key) => key.value === value)?.role === role,
    );
  };

const credentials: Readonly<Record<string, RequestCondition>> = {
  'no key': not(hasCredentialHeader),
  'bad key': presents(undefined),
  'deleted key': presents('deleted'),
  'no balance': presents('depleted'),
};

const hasInvalidCredential: RequestCondition = (ctx) =>
  Object.values(credentials).some((isPresent) => isPresent(ctx));
const otherFailures: readonly Failure[] = failures.filter(
  (failure) => failure !== 'bad-key' && failure !== 'low-balance',
);
const operations = calls.flatMap(({ operation, streams }) =>
  streams.map((streamed) => ({
    name: `${operation}${streamed ? ', streamed' : ''}`,
    only: casesOf(operation),
    failures: failuresOf(operation, streamed).filter((kind) => otherFailures.includes(kind)),
    where: allOf(onOperation(operation), streamedIs(streamed)),
  })),
);

/**
 * Returns a combination whose gateway checks the key after the body and the model. If a request satisfies the
 * condition, the gateway responds to these errors with a wrong status.
 */
function wrongWhere(
  name: string,
  where: RequestCondition,
  kinds: readonly Failure[],
  only: readonly string[] = ['auth/*'],
): Combination {
  return {
    name,
    only,
    overrides: combineOverrides(
      checkFirst('body', 'form', 'known-model', 'protocol', 'support', 'images'),
      applyWhere(allOf(where, refusedFor(...kinds)), setStatus(418)),
    ),
  };
}

const wrongForTwoParts: Combination[] = [
  ...Object.entries(credentials).flatMap(([credential, isPresent]) =>
    otherFailures.map((failure) => wrongWhere(`${failure} and ${credential}`, isPresent, [failure])),
  ),
  ...operations.flatMap(({ name, where, failures: own, only }) => [
    ...own.map((failure) =>
      wrongWhere(
        `${failure} and any credential on ${name}`,
        allOf(where, hasInvalidCredential),
        [failure],
        only,
      ),
    ),
    ...Object.entries(credentials).map(([credential, isPresent]) =>
      wrongWhere(`any failure and ${credential} on ${name}`, allOf(where, isPresent), otherFailures, only),
    ),
  ]),
];

const catalog = await catalogOfPackage();

test.each([
  ['one header and streaming', wrongForOneHeader],
  ['two invalid parts of a request', wrongForTwoParts],
])(
  'the default run finds each defect that needs %s',
  async (_, combinations) => {
    const missed: string[] = [];
    for (const { name, only, overrides } of combinations) {
      const { unsatisfied } = await judgeGateway(catalog, withDecisions(overrides), { only });
      if (!unsatisfied.some(({ outcome }) => outcome === 'violates')) missed.push(name);
    }
    expect({ count: combinations.length, missed }).toEqual({ count: combinations.length, missed: [] });
  },
  300_000,
);
