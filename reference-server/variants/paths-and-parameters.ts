import { renameModels } from './models.ts';
import type { Variant } from './variant.ts';

/** Variants of the paths, parameters and headers of operations: the specification leaves these choices open. */
export const pathVariants: readonly Variant[] = [
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
];
