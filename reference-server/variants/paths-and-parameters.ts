import type { TimeFormat } from '../../common/profile-values.ts';
import { withDecisions } from '../combine-setups.ts';
import type { ProfileChanges } from '../gateway/profile.ts';
import { renameModels } from './models.ts';
import type { Variant, VariantSetup } from './variant.ts';

type Operations = NonNullable<ProfileChanges['operations']>;

const withOperations =
  (operations: Operations, more: ProfileChanges = {}) =>
  (): VariantSetup => ({
    profile: { ...more, operations },
  });

const withTimeFormat = (timeFormat: TimeFormat) => (): VariantSetup => ({ profile: { timeFormat } });

/** Variants of the paths, parameters and headers of operations: the specification leaves these choices open. */
export const pathVariants: readonly Variant[] = [
  { id: 'places/millis', about: 'Uses Unix times in milliseconds.', setup: withTimeFormat('unix-millis') },
  { id: 'places/iso-date', about: 'Uses ISO dates as times.', setup: withTimeFormat('iso-date') },
  {
    id: 'places/iso-datetime',
    about: 'Uses ISO dates with a time of day as times.',
    setup: withTimeFormat('iso-datetime'),
  },
  {
    id: 'places/record-in-path',
    about: 'Reads the request ID from the path.',
    setup: withOperations({ record: 'GET /v1/billing/requests/{request_id}/detail' }),
  },
  {
    id: 'places/billing-by-post',
    about: 'Reads the parameters of billing-type endpoints from JSON bodies, as strings.',
    setup: withOperations({
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
    about: 'Reads times from JSON bodies, and accepts only numbers.',
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
    about: 'Uses unusual paths and parameter names for the usage and record endpoints.',
    setup: withOperations({
      usage: 'GET /v1/reports?granularity=day&filter[from]={start}&filter[to]={end}',
      record: 'GET /v1/logs?id={request_id}&verbose=1',
    }),
  },
  {
    id: 'places/billing-elsewhere',
    about: 'Serves billing-type endpoints outside `/v1`.',
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
    about: 'Serves family B under the prefix `/anthropic`.',
    setup: () => ({
      profile: { operations: { messages: 'POST /anthropic/v1/messages' } },
      extraOperations: { countMessageTokens: null },
    }),
  },
  {
    id: 'places/family-c-otherwise',
    about: 'Serves family C with the method after a slash, as in `/v1beta/models/{model}/generate`.',
    setup: withOperations({
      generate: 'POST /v1beta/models/{model}/generate',
      streamGenerate: 'POST /v1beta/models/{model}/stream',
    }),
  },
  {
    id: 'places/resource-names',
    about: 'Uses model IDs that begin with `models/`, and inserts these IDs after `/v1beta/` in paths.',
    setup: () => ({
      seed: renameModels((id) => `models/${id}`),
      profile: {
        operations: {
          generate: 'POST /v1beta/{+model}:generateContent',
          streamGenerate: 'POST /v1beta/{+model}:streamGenerateContent?alt=sse',
        },
      },
    }),
  },
  {
    id: 'places/model-in-query',
    about: 'Serves family C with the model in the query.',
    setup: withOperations({
      generate: 'POST /v1beta/models/generate?model={model}',
      streamGenerate: 'POST /v1beta/models/stream?model={model}',
    }),
  },
  {
    id: 'places/other-version-header',
    about: 'Requires the version header `Acme-Version` in family B.',
    setup: () => ({
      profile: { versionHeader: 'Acme-Version' },
      decisions: (base) => ({
        findBodyProblem: (body, ctx) =>
          ctx.family === 'B' && ctx.request.headers['acme-version'] === undefined
            ? { place: 'acme-version', expected: 'sent' }
            : base.findBodyProblem(body, ctx),
      }),
    }),
  },
  {
    id: 'places/other-stream-parameter',
    about: 'Streams calls with the member `streaming` instead of `stream`.',
    setup: () => ({ profile: { stream: { parameter: 'streaming' } } }),
  },
  {
    id: 'places/tenant-header',
    about:
      'Requires a header with the tenant, and responds with 404 if the header is missing or contains another tenant.',
    setup: () => ({
      profile: { headers: { 'X-Tenant': 'acme', 'x-route': 'eu' } },
      decisions: (base) => ({
        errorStatusOf: (failure, ctx) =>
          ctx.request.headers['x-tenant'] === 'acme' ? base.errorStatusOf(failure, ctx) : 404,
        isKeyValid: (key, ctx) => base.isKeyValid(key, ctx) && ctx.request.headers['x-tenant'] === 'acme',
      }),
    }),
  },
  {
    id: 'places/more-in-bodies',
    about: 'Requires a member of the body that the profile states.',
    setup: () => {
      const project = { metadata: { project: 'conformance' } };
      return {
        profile: { bodies: { chat: project, responses: project, messages: project, generate: project } },
        decisions: (base) => ({
          findBodyProblem: (body, ctx) =>
            base.findBodyProblem(body, ctx) ??
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
    about: 'Sends the headers `link`, `location` and `deprecation` with successful responses.',
    setup: withDecisions((base) => ({
      listSuccessHeaders: (call, ctx) => [
        ...base.listSuccessHeaders(call, ctx),
        ['link', '</v1/models?page=2>; rel="next"'],
        ['location', '/v1/elsewhere'],
        ['deprecation', '@1735689600'],
      ],
    })),
  },
];
