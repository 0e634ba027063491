import { formatFigures } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { conformanceScript, runNode } from '../measure/process.js';
import { runInTurn } from '../measure/rounds.js';
import { profileWithoutBurst, withFolder } from '../measure/target.js';

const latency = 100;
const concurrency = 8;

const measure = () =>
  withFolder(async (folder) => {
    const profile = profileWithoutBurst(folder);
    const gateway = await forkServer('reference-gateway', [JSON.stringify({ latencyMs: latency })]);
    try {
      const rounds = await runInTurn(
        { count: 3, before: 0 },
        {
          run: async () => {
            const { url } = await gateway.fresh();
            const { ms } = await runNode([conformanceScript, 'run', '--base-url', url, '--profile', profile]);
            const { before } = await gateway.fresh();
            return { ms, least: (before / concurrency) * latency, requests: before };
          },
        },
      );
      return formatFigures([
        {
          what: `run ÷ (${rounds[0]?.run.requests} requests ÷ ${concurrency} × ${latency} ms)`,
          values: rounds.map(({ run: { ms, least } }) => ms / least),
          unit: '×',
          target: { most: 1.1 },
        },
      ]);
    } finally {
      gateway.close();
    }
  });

/** The time of a run against a slow gateway. @type {import('../run.js').Section} */
export const slowGateway = {
  title: 'A slow gateway',
  about: `The default run calls a reference gateway that waits ${latency} ms before each response. This section compares the time of the run with the least time that its requests can take: their number ÷ ${concurrency} × ${latency} ms. No burst is sent, since the profile states no rate limit. The time is that of the whole process, including start and report.`,
  measure,
  tried: `What was tried:

- Controls are sent concurrently. A control waits for another control only until the information that it needs is known.
- Long cases are sent first.
- If a case repeats a request, the first of these requests is sent together with the other cases. The repetitions follow later, without other requests between them.

The remaining time has several causes. Controls are sent first and requests with wrong keys last, so that some connections are idle at the end of each phase. After the cases, the controls are sent once more. Each response arrives some milliseconds later than planned. The process starts and plans before the first request, and reports after the last.`,
};
