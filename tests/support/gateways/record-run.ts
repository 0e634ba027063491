import type { ReferenceServerOptions } from '../../../reference-server/create-reference-server.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import type { RecordedExchange } from '../../../runner/traffic/recordings/recorded-exchange.ts';
import { judgeGateway } from './judge-gateway.ts';

/**
 * A run, and the exchanges that a proxy between the runner and the gateway would record: with keys, controls and
 * retries, but without notes.
 */
type RecordedRun = {
  /** The failures of the run, in the form that `failuresIn` returns. */
  readonly failures: readonly string[];
  readonly profile: Profile;
  /** The exchanges in the order in which the responses were complete. */
  readonly exchanges: readonly RecordedExchange[];
};

/** Records a run of all cases, or of the cases that `only` selects, against a reference gateway in this process. */
export async function recordRun(
  catalog: Catalog,
  setup: () => ReferenceServerOptions,
  { only }: { readonly only?: readonly string[] } = {},
): Promise<RecordedRun> {
  const exchanges: RecordedExchange[] = [];
  let profile: Profile | undefined;
  const { unsatisfied } = await judgeGateway(catalog, setup, {
    ...(only && { only }),
    // The calls of a client rarely overlap.
    atOnce: 2,
    observe(transport, used) {
      profile = used;
      return {
        ...transport,
        async send(request, how) {
          const startedAt = Date.now();
          const result = await transport.send(request, how);
          exchanges.push({
            id: `exchange ${exchanges.length + 1}`,
            request: {
              method: request.method,
              url: used.baseUrl + request.path,
              headers: Object.entries(request.headers),
              body: request.body,
            },
            result,
            startedAt,
            durationMs: Date.now() - startedAt,
            notes: undefined,
          });
          return result;
        },
      };
    },
  });
  if (!profile) throw new Error('The run sent nothing.');
  const failures = unsatisfied.flatMap(({ outcome, requirement }) =>
    outcome === 'inconclusive' ? [] : [`${outcome} ${requirement}`],
  );
  return { failures: [...new Set(failures)], profile, exchanges };
}
