import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { processFile, runNode } from '../measure/process.js';
import { inTurn } from '../measure/rounds.js';

const atOnce = 32;
const milliseconds = 2000;

/**
 * How many requests a second a server answers, and the processor time that each takes it.
 * @param {import('../measure/fork.js').Served} served
 */
async function load(served) {
  const before = await served.cpuMs();
  const args = [processFile('load'), served.url, String(atOnce), String(milliseconds)];
  const { stdout } = await runNode(args, { keepStdout: true });
  /** @type {{ answered: number, seconds: number }} */
  const { answered, seconds } = JSON.parse(stdout);
  const cpuMs = (await served.cpuMs()) - before;
  return { perSecond: answered / seconds, cpuMs: cpuMs / answered, busy: (cpuMs / seconds / 1000) * 100 };
}

async function measure() {
  const reference = await serve('reference-gateway', [JSON.stringify({ free: true })]);
  const bare = await serve('bare-gateway');
  try {
    const rounds = await inTurn(
      { count: 7 },
      {
        reference: () => load(reference),
        bare: () => load(bare),
      },
    );
    return table([
      {
        what: 'requests a second, reference gateway ÷ bare handler',
        values: rounds.map(({ reference, bare }) => (100 * reference.perSecond) / bare.perSecond),
        unit: '%',
        target: { least: 80 },
      },
      {
        what: 'processor time a request, bare handler ÷ reference gateway',
        values: rounds.map(({ reference, bare }) => (100 * bare.cpuMs) / reference.cpuMs),
        unit: '%',
      },
      {
        what: 'requests a second of the bare handler',
        values: rounds.map(({ bare }) => bare.perSecond),
        unit: '',
      },
      { what: 'how busy it was', values: rounds.map(({ bare }) => bare.busy), unit: '%' },
    ]);
  } finally {
    reference.close();
    bare.close();
  }
}

/** What the reference gateway is able to answer beside a bare handler. @type {import('../run.js').Part} */
export const referenceGateway = {
  title: 'The reference gateway',
  about: `Requests of one process, ${atOnce} at once, for ${milliseconds / 1000} s, to two others in turn: the reference gateway, and a handler of \`node:http\` written by hand that reads and parses the body, checks the key and the members that are required, and answers the same JSON with the same headers (\`processes/bare-gateway.js\`). The request is a plain call of the chat operation. The gateway routes, holds the body against its schema, charges the account, and keeps a record and a journal, too.`,
  tried: `What was tried: a request is taken behind the poll in which it came, so that a body that was sent along with its head is read at once, without listeners; nothing that is known is awaited; where the connection stays, a plain answer goes to it as one text, head and body, past the response of \`node:http\`; a path without parameters is found in a map; the checks share one context; the journal keeps requests as they came, and takes out the keys when somebody asks for it; records are a list, and the journal holds on to no connection; no framework stands before the gateway. Together they took the processor time of a request from six times that of the bare handler to about as much: what Node takes to read a body by its events and to write an answer by its response, as the bare handler does, the gateway needs for the rest of its work. About a tenth of its time goes to what stays behind of a request, which is moved about in memory: its record and its place in the journal. The rest is spread over some seventy decisions, of which each may be replaced by a fault or a variant.`,
  measure,
};
