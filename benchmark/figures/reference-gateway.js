import { formatFigures } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { processFile, runNode } from '../measure/process.js';
import { runInTurn } from '../measure/rounds.js';

const concurrency = 32;
const milliseconds = 2000;

/**
 * Sends requests to a server for two seconds. Returns the number of responses, the requests per second, the CPU time of
 * the server per request in milliseconds, and its CPU usage in percent.
 * @param {import('../measure/fork.js').ServerProcess} served
 */
async function load(served) {
  const before = await served.cpuMs();
  const args = [processFile('load'), served.url, String(concurrency), String(milliseconds)];
  const { stdout } = await runNode(args, { keepStdout: true });
  /** @type {{ answered: number, seconds: number }} */
  const { answered, seconds } = JSON.parse(stdout);
  const cpuMs = (await served.cpuMs()) - before;
  return {
    answered,
    perSecond: answered / seconds,
    cpuMs: cpuMs / answered,
    busy: (cpuMs / seconds / 1000) * 100,
  };
}

/**
 * Sends at least 1,000,000 requests. Returns the memory of the server after all requests, divided by the memory after
 * 200,000 requests.
 * @param {import('../measure/fork.js').ServerProcess} served
 */
async function loadMillion(served) {
  let [sent, early] = [0, 0];
  while (sent < 1_000_000) {
    const { answered } = await load(served);
    sent += answered;
    if (early === 0 && sent >= 200_000) early = await served.memory();
  }
  return (await served.memory()) / early;
}

async function measure() {
  const reference = await forkServer('reference-gateway', [JSON.stringify({ free: true })]);
  const withConsole = await forkServer('reference-gateway', [JSON.stringify({ free: true, console: true })]);
  const bare = await forkServer('bare-gateway');
  try {
    const rounds = await runInTurn(
      { count: 7 },
      {
        reference: () => load(reference),
        withConsole: () => load(withConsole),
        bare: () => load(bare),
      },
    );
    const growth = await loadMillion(withConsole);
    return formatFigures([
      {
        what: 'requests per second, reference gateway ÷ bare handler',
        values: rounds.map(({ reference, bare }) => (100 * reference.perSecond) / bare.perSecond),
        unit: '%',
        target: { least: 80 },
      },
      {
        what: 'CPU time per request, bare handler ÷ reference gateway',
        values: rounds.map(({ reference, bare }) => (100 * bare.cpuMs) / reference.cpuMs),
        unit: '%',
      },
      {
        what: 'CPU time per request, without the console ÷ with it',
        values: rounds.map(({ reference, withConsole }) => (100 * reference.cpuMs) / withConsole.cpuMs),
        unit: '%',
        target: { least: 97 },
      },
      {
        what: 'memory with the console, after 1,000,000 requests ÷ after 200,000',
        values: [growth],
        unit: '×',
        target: { most: 1.1 },
      },
      {
        what: 'requests per second of the bare handler',
        values: rounds.map(({ bare }) => bare.perSecond),
        unit: '',
      },
      { what: 'CPU usage of the bare handler', values: rounds.map(({ bare }) => bare.busy), unit: '%' },
    ]);
  } finally {
    withConsole.close();
    reference.close();
    bare.close();
  }
}

/**
 * The throughput and CPU time of the reference gateway, relative to a bare handler.
 * @type {import('../run.js').Section}
 */
export const referenceGateway = {
  title: 'The reference gateway',
  about: `One process sends ${concurrency} concurrent requests for ${milliseconds / 1000} s to other processes in turn: the reference gateway, and a hand-written handler of \`node:http\`. The handler parses the body, checks the key and the required members, and returns the same JSON with the same headers (\`processes/bare-gateway.js\`). The request is a chat call that is not streamed. A third process is the reference gateway with its console, which no browser has open. The reference gateway also routes, validates the body against its schema, charges the account 0 credits, and keeps a record and a journal.`,
  tried: `What was tried:

- A request is handled after the poll phase in which it arrived, so that a body that arrived with its head is read immediately, without listeners.
- A result that is already known is not awaited.
- If the connection is kept alive, a response that is not streamed is written to the socket as one text with head and body. The response object of \`node:http\` is not used.
- Paths without parameters are found in a map.
- All checks of a request share one context.
- The journal keeps requests unchanged, and redacts keys only when it is read. The journal keeps no reference to a connection.
- Records are kept in a list.
- The gateway uses no framework.

Together, the changes above reduced the CPU time of a request from six times that of the bare handler to about the same. The time that the bare handler spends on events and response objects of Node.js is about the time that the gateway needs for its additional work. About a tenth of the remaining time is the memory that stays allocated for a request, its record and its journal entry. The rest is spread over about sixty decisions, each of which a fault or a variant can replace.`,
  measure,
};
