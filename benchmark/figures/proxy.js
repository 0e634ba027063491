import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { rows } from '../measure/figure.js';
import { serve } from '../measure/fork.js';

const rounds = 5;
const clients = 4;
const perClient = { plain: 250, streamed: 60 };
const pauseMs = 10;

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(200) }] });

/** The ways to the gateway: straight, through our proxy, through a bare one. @typedef {0 | 1 | 2} Way */
/** Milliseconds to the first byte of a body, and to its end. @typedef {{ first: number, whole: number }} Times */
/** For each way, what each request took. @typedef {Times[][]} Round */

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
 * What each way took over all rounds, and how much the means of each round differ from the straight way.
 * @param {string} name
 * @param {readonly Round[]} measured
 * @param {keyof Times} what
 */
function row(name, measured, what) {
  /** @param {Round} times @param {Way} way */
  const of = (times, way) => (times[way] ?? []).map((time) => time[what]);
  /** @param {Way} way */
  const shown = (way) => {
    const all = measured.flatMap((times) => of(times, way));
    return `${ms(mean(all))} (${ms(quantile(all, 0.5))}, ${ms(quantile(all, 0.99))})`;
  };
  /** @param {Way} way */
  const added = (way) => {
    const differences = measured.map((times) => mean(of(times, way)) - mean(of(times, 0)));
    return `${ms(mean(differences))} (${ms(Math.min(...differences))} to ${ms(Math.max(...differences))})`;
  };
  return [name, shown(0), shown(1), `**${added(1)}**`, shown(2), added(2)];
}

async function measure() {
  const behind = await serve('model-answers');
  const between = await serve('proxy', [behind.url]);
  const bare = await serve('bare-proxy', [behind.url]);
  const served = [behind, between, bare];
  const urls = served.map(({ url }) => url);
  /** @type {{ plain: Round[], streamed: Round[] }} */
  const measured = { plain: [], streamed: [] };
  await round('/plain', 100, urls);
  for (let count = 0; count < rounds; count += 1) {
    measured.plain.push(await round('/plain', perClient.plain, urls));
    measured.streamed.push(await round('/stream', perClient.streamed, urls));
  }
  for (const { close } of served) close();
  const head = [
    'milliseconds: mean (median, 99 %)',
    'straight',
    'through the proxy',
    'added, mean (of the rounds)',
    'through a bare proxy',
    'added by that',
  ];
  return rows(head, [
    row('plain answer, whole', measured.plain, 'whole'),
    row('stream, first byte', measured.streamed, 'first'),
    row('stream, whole', measured.streamed, 'whole'),
  ]);
}

/** What `conformance proxy` adds to a request. @type {import('../run.js').Part} */
export const proxy = {
  title: 'The proxy',
  about: `A request through the proxy, against the same request sent straight to the gateway. The limits: a plain request takes less than 1 ms longer on average, and the first byte of a stream less than 5 ms. A bare proxy of Node that only pipes shows what the machine takes for one more hop. Gateway, proxies and client are processes of their own. Each request that goes straight is followed by one through each proxy. ${rounds} rounds; each sends ${clients * perClient.plain} plain requests and ${clients * perClient.streamed} streamed ones on each way, from ${clients} clients that pause ${pauseMs} ms after each.`,
  measure,
};
