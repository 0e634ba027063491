import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';

const rounds = 5;
const clients = 4;
const perClient = { plain: 250, streamed: 60 };
const pauseMs = 10;

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(200) }] });

/**
 * The ways to the gateway: direct (0), through `conformance proxy` (1), through a bare proxy (2).
 * @typedef {0 | 1 | 2} Way
 */
/**
 * The milliseconds from the start of a request to the first byte and to the end of the body.
 * @typedef {{ first: number, whole: number }} Times
 */
/** The times of each request, by way. @typedef {Times[][]} Round */

/** @param {string} url @param {Agent} agent @returns {Promise<Times>} */
function ask(url, agent) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const headers = { 'content-type': 'application/json' };
    const asked = request(url, { method: 'POST', agent, headers });
    asked.on('error', reject).on('response', (response) => {
      let first = 0;
      response
        .on('data', () => {
          first ||= performance.now() - from;
        })
        .on('end', () => resolve({ first, whole: performance.now() - from }));
    });
    asked.end(body);
  });
}

/** @param {string} path @param {number} turns @param {readonly string[]} urls @returns {Promise<Round>} */
async function round(path, turns, urls) {
  const ways = urls.map((url) => ({
    url,
    agent: new Agent({ keepAlive: true }),
    times: /** @type {Times[]} */ ([]),
  }));
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      await sleep((client * 2 * pauseMs) / clients);
      for (let turn = 0; turn < turns; turn += 1) {
        for (const { url, agent, times } of ways) {
          times.push(await ask(`${url}${path}`, agent));
          await sleep(pauseMs);
        }
      }
    }),
  );
  for (const { agent } of ways) agent.destroy();
  return ways.map(({ times }) => times);
}

/** @param {readonly number[]} list */
const mean = (list) => list.reduce((sum, item) => sum + item, 0) / list.length;
/** @param {readonly number[]} list @param {number} part */
const quantile = (list, part) =>
  list.toSorted((a, b) => a - b)[Math.floor(part * (list.length - 1))] ?? Number.NaN;
/** @param {number} number */
const ms = (number) => number.toFixed(2);

/**
 * Returns a row with the times of each way over all rounds, and the time that each proxy adds to the direct way in a
 * round.
 * @param {string} name
 * @param {readonly Round[]} measured
 * @param {keyof Times} what
 */
function row(name, measured, what) {
  /** @param {Round} times @param {Way} way */
  const of = (times, way) => (times[way] ?? []).map((time) => time[what]);
  /** @param {Way} way */
  const formatTimes = (way) => {
    const all = measured.flatMap((times) => of(times, way));
    return `${ms(mean(all))} (${ms(quantile(all, 0.5))}, ${ms(quantile(all, 0.99))})`;
  };
  /** @param {Way} way */
  const added = (way) => {
    const differences = measured.map((times) => mean(of(times, way)) - mean(of(times, 0)));
    return `${ms(mean(differences))} (${ms(Math.min(...differences))} to ${ms(Math.max(...differences))})`;
  };
  return [name, formatTimes(0), formatTimes(1), `**${added(1)}**`, formatTimes(2), added(2)];
}

async function measure() {
  const gateway = await forkServer('model-answers');
  const proxy = await forkServer('proxy', [gateway.url]);
  const bare = await forkServer('bare-proxy', [gateway.url]);
  const servers = [gateway, proxy, bare];
  const urls = servers.map(({ url }) => url);
  /** @type {{ plain: Round[], streamed: Round[] }} */
  const measured = { plain: [], streamed: [] };
  await round('/plain', 100, urls);
  for (let count = 0; count < rounds; count += 1) {
    measured.plain.push(await round('/plain', perClient.plain, urls));
    measured.streamed.push(await round('/stream', perClient.streamed, urls));
  }
  for (const { close } of servers) close();
  const head = [
    'milliseconds: mean (median, 99 %)',
    'direct',
    'through the proxy',
    'added by the proxy, mean (range of the rounds)',
    'through a bare proxy',
    'added by the bare proxy',
  ];
  return formatTable(head, [
    row('plain response, complete', measured.plain, 'whole'),
    row('stream, first byte', measured.streamed, 'first'),
    row('stream, complete', measured.streamed, 'whole'),
  ]);
}

/** The time that `conformance proxy` adds to a request. @type {import('../run.js').Section} */
export const proxy = {
  title: 'The proxy',
  about: `The same request is sent through the proxy and directly to the gateway. The limits: through the proxy, a plain response takes on average less than 1 ms longer, and the first byte of a stream less than 5 ms longer. A bare Node.js proxy, which only pipes, shows the cost of one more hop on this machine. The gateway, the proxies and the client run in separate processes. Each direct request is followed by a request through each proxy. Each of the ${rounds} rounds sends ${clients * perClient.plain} plain and ${clients * perClient.streamed} streamed requests in each of the three ways, from ${clients} clients that pause ${pauseMs} ms after each request.`,
  measure,
};
