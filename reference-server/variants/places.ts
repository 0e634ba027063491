import type { ProfileChanges, TimeFormat } from '../gateway/profile.ts';
import { deciding, type Variant, type VariantSetup } from './variant.ts';

type Operations = NonNullable<ProfileChanges['operations']>;

const at =
  (operations: Operations, more: ProfileChanges = {}) =>
  (): VariantSetup => ({
    profile: { ...more, operations },
  });

const times = (timeFormat: TimeFormat) => (): VariantSetup => ({ profile: { timeFormat } });

/** What sections 2.4, 4 and 9 leave open about where operations are and how their parameters travel. */
export const placeVariants: readonly Variant[] = [
  { id: 'places/millis', about: 'Times are milliseconds since 1970.', setup: times('unix-millis') },
  { id: 'places/iso-date', about: 'Times are dates.', setup: times('iso-date') },
  { id: 'places/iso-datetime', about: 'Times are dates with a time of day.', setup: times('iso-datetime') },
  {
    id: 'places/record-in-path',
    about: 'The request id stands in the path.',
    setup: at({ record: 'GET /v1/billing/requests/{request_id}/detail' }),
  },
  {
    id: 'places/billing-by-post',
    about: 'Parameters of billing-type endpoints travel in bodies, as texts.',
    setup: at({
      balance: { request: 'POST /v1/account/credits', body: { scope: 'all' } },
      usage: {
        request: 'POST /v1/billing/usage',
        body: { filter: { range: { from: '{start}', until: '{end}' } } },
      },
      record: { request: 'POST /v1/billing/requests/query', body: { request_id: '{request_id}' } },
    }),
  },
  {
    id: 'places/times-are-numbers',
    about: 'Times travel in a body and must be numbers there.',
    setup: () => ({
      profile: {
        operations: {
          usage: { request: 'POST /v1/billing/usage', body: { from: '{+start}', to: '{+end}' } },
        },
      },
      decisions: (base) => ({
        parameterOf: (name, ctx) => {
          const { body } = ctx;
          const place = name === 'start' ? 'from' : 'to';
          if (ctx.operation?.id !== 'usage') return base.parameterOf(name, ctx);
          const value =
            typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(place) : '';
          return typeof value === 'number' ? String(value) : undefined;
        },
      }),
    }),
  },
  {
    id: 'places/other-parameter-names',
    about: 'The parameters of billing-type endpoints have other names.',
    setup: at({
      usage: 'GET /v1/reports?granularity=day&filter[from]={start}&filter[to]={end}',
      record: 'GET /v1/logs?id={request_id}&verbose=1',
    }),
  },
  {
    id: 'places/billing-elsewhere',
    about: 'Billing-type endpoints do not stand under /v1.',
    warns: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: {
        operations: {
          balance: 'GET /api/user/balance',
          usage: 'GET /api/user/usage?start={start}&end={end}',
          record: 'GET /api/log/{request_id}',
          internalError: 'GET /api/fail',
        },
      },
    }),
  },
  {
    id: 'places/family-b-elsewhere',
    about: 'Family B stands under a prefix of its own.',
    setup: () => ({
      profile: { operations: { messages: 'POST /anthropic/v1/messages' } },
      extraOperations: { countMessageTokens: null },
    }),
  },
  {
    id: 'places/family-c-otherwise',
    about: 'Family C has its method behind a slash, and the model in the middle.',
    setup: at({
      generate: 'POST /v1beta/models/{model}/generate',
      streamGenerate: 'POST /v1beta/models/{model}/stream',
    }),
  },
  {
    id: 'places/model-in-query',
    about: 'Family C has one path for all models, and the model in the query.',
    setup: at({
      generate: 'POST /v1beta/models/generate?model={model}',
      streamGenerate: 'POST /v1beta/models/stream?model={model}',
    }),
  },
  {
    id: 'places/other-version-header',
    about: 'The version header is named after another vendor, and must be sent.',
    setup: () => ({
      profile: { versionHeader: 'Acme-Version' },
      decisions: (base) => ({
        bodyFault: (body, ctx) =>
          ctx.family === 'B' && ctx.request.headers['acme-version'] === undefined
            ? { place: 'acme-version', expected: 'sent' }
            : base.bodyFault(body, ctx),
      }),
    }),
  },
  {
    id: 'places/other-stream-parameter',
    about: 'The member that asks for a stream has another name.',
    setup: () => ({ profile: { stream: { parameter: 'streaming' } } }),
  },
  {
    id: 'places/tenant-header',
    about: 'Every request must name its tenant in a header; without it there is nothing.',
    setup: () => ({
      profile: { headers: { 'X-Tenant': 'acme', 'x-route': 'eu' } },
      decisions: (base) => ({
        statusOf: (failure, ctx) =>
          ctx.request.headers['x-tenant'] === 'acme' ? base.statusOf(failure, ctx) : 404,
        keyWorks: (key, ctx) => base.keyWorks(key, ctx) && ctx.request.headers['x-tenant'] === 'acme',
      }),
    }),
  },
  {
    id: 'places/more-in-bodies',
    about: 'Bodies must have a member that the profile states.',
    setup: () => {
      const project = { metadata: { project: 'conformance' } };
      return {
        profile: { bodies: { chat: project, responses: project, messages: project, generate: project } },
        decisions: (base) => ({
          bodyFault: (body, ctx) =>
            base.bodyFault(body, ctx) ??
            (ctx.operation?.protocol === undefined ||
            (typeof body === 'object' && body !== null && 'metadata' in body)
              ? undefined
              : { place: 'metadata', expected: 'present' }),
        }),
      };
    },
  },
  {
    id: 'places/any-slashes',
    about: 'Answers link to other places, and advise to look there.',
    setup: deciding((base) => ({
      successHeaders: (call, ctx) => [
        ...base.successHeaders(call, ctx),
        ['link', '</v1/models?page=2>; rel="next"'],
        ['location', '/v1/elsewhere'],
        ['deprecation', '@1735689600'],
      ],
    })),
  },
];
