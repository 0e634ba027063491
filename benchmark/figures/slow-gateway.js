import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { conformance, runNode } from '../measure/process.js';
import { inTurn } from '../measure/rounds.js';
import { profileWithoutBurst, withFolder } from '../measure/target.js';

const latency = 100;
const atOnce = 8;

const measure = () =>
  withFolder(async (folder) => {
    const profile = profileWithoutBurst(folder);
    const gateway = await serve('reference-gateway', [JSON.stringify({ latencyMs: latency })]);
    try {
      const rounds = await inTurn(
        { count: 3, before: 0 },
        {
          run: async () => {
            const { url } = await gateway.fresh();
            const { ms } = await runNode([conformance, 'run', '--base-url', url, '--profile', profile]);
            const { before } = await gateway.fresh();
            return { ms, due: (before / atOnce) * latency, requests: before };
          },
        },
      );
      return table([
        {
          what: `run ÷ (${rounds[0]?.run.requests} requests ÷ ${atOnce} × ${latency} ms)`,
          values: rounds.map(({ run: { ms, due } }) => ms / due),
          unit: '×',
          target: { most: 1.1 },
        },
      ]);
    } finally {
      gateway.close();
    }
  });

/** What a run takes against a gateway that is slow. @type {import('../run.js').Part} */
export const slowGateway = {
  title: 'A slow gateway',
  about: `The default run against the reference gateway, told to wait ${latency} ms before each answer, and the time that its requests must take: their number ÷ ${atOnce} × ${latency} ms. No burst is sent, since the profile states no frequency. The whole process counts, with its start and its report.`,
  measure,
  tried: `What was tried: controls at once, of which none waits longer for another than until what it needs of it is known; long cases first; the same request several times with no other between, but its first with all other cases, and without a wait between such cases. What is left: the controls come before all else and bad keys after it, so that some places stay empty where a phase ends, and after it the good key is tried once more; each answer comes some milliseconds later than its due; and the process starts, plans and reports before and after.`,
};
