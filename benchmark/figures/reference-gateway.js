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
  tried: `What was tried: the journal keeps requests as they came, and takes out the keys when somebody asks for it; an answer that is whole goes out in one write, and nothing waits for its end; what is known is not awaited; the listeners of a request are as few as can be; no framework stands before the gateway. Together they took the processor time of a request from six times that of the bare handler to less than twice. What is left is spread over the checks: each may be replaced by a fault or a variant, and each gives the context that it got, copied, with what it found out.`,
  measure,
};
