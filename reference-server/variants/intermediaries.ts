import { protocolVersion } from '../../common/specification.ts';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import { isObject } from '../json.ts';
import type { Reply } from '../wire/response.ts';
import { createTextContent } from './responses.ts';
import type { Variant } from './variant.ts';

const createPage = (status: number): Reply => ({
  status,
  headers: [],
  content: createTextContent('text/html', `<h1>${status}</h1><p>Your request was blocked.</p>`),
});

const isUsualChat = (body: unknown): boolean =>
  !isObject(body) ||
  (Object.keys(body).every((name) => ['model', 'messages', 'stream'].includes(name)) &&
    Array.isArray(body.messages) &&
    body.messages.length > 0 &&
    body.messages.every(
      (item) =>
        isObject(item) && item.content !== null && ['system', 'user', 'assistant'].includes(`${item.role}`),
    ));

/** Whether the specification leaves the response to this request open. */
const isLeftOpen = (ctx: Context, requestId: string | undefined): boolean => {
  const { method, headers } = ctx.request;
  if (method === 'HEAD' || method === 'OPTIONS') return true;
  if (headers.authorization !== undefined && headers['x-api-key'] !== undefined) return true;
  if (ctx.failure) return false;
  if (headers.authorization?.startsWith('bearer ')) return true;
  return (
    (ctx.family === 'B' && headers['anthropic-version'] !== protocolVersion) ||
    (ctx.operation?.protocol !== undefined && headers['content-type'] !== 'application/json') ||
    (ctx.operation?.id === 'chat' && !isUsualChat(ctx.body)) ||
    (requestId !== undefined && !/^(?!0{8})[\da-f]{8}-[\da-f-]{27}$/.test(requestId))
  );
};

/** Variants with a server in front of the gateway. The specification does not mention such servers. */
export const intermediaryVariants: readonly Variant[] = [
  {
    id: 'intermediaries/open-points-refused-by-a-page',
    about:
      'Responds with 403 and the HTML page of a firewall to requests whose response the specification leaves open.',
    warns: ['billing-error/other-statuses', 'billing/request-id-case'],
    setup: withDecisions((base) => ({
      finish: (response, ctx) =>
        isLeftOpen(ctx, ctx.operation?.id === 'record' ? base.parameterOf('request_id', ctx) : undefined)
          ? createPage(403)
          : response,
    })),
  },
  {
    id: 'intermediaries/connection-blocked-after-bad-key',
    about: 'Responds with 403 and an HTML page to the next request on a connection that carried a wrong key.',
    setup: () => {
      const blocked = new Set<string>();
      return {
        decisions: () => ({
          finish: (response, { failure, request: { connection } }) => {
            if (blocked.delete(connection)) return createPage(403);
            if (failure?.kind === 'bad-key') blocked.add(connection);
            return response;
          },
        }),
      };
    },
  },
];
