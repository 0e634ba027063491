// Measures what the proxy adds to a request, against the same request sent straight to the gateway.
//   npm run build && node benchmark/proxy.js [--write]
// The gateway, the proxy and the client are processes of their own. Requests are paced, and each that goes straight is
// followed by one through the proxy, so that both meet the same load of the machine.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openProxy } from '../dist/runner/proxy/open-proxy.js';

const rounds = 7;
const workers = 4;
const pairsPerWorker = { plain: 250, streamed: 60 };
const pauseMs = 20;

const answer = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok '.repeat(300) }, finish_reason: 'stop' }],
});
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(200) }] });

/** Answers like a model: a body of a kilobyte, or a stream of five events 4 ms apart. */
function gateway() {
  const server = createServer(async (asked, response) => {
    for await (const _ of asked);
    if (asked.url !== '/stream') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let event = 0; event < 5; event += 1) {
      response.write(`data: ${answer.slice(0, 200)}\n\n`);
      await sleep(4);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
}

async function proxy(baseUrl) {
  const { url } = await openProxy({ baseUrl, port: 0, onExchange: () => {} });
  process.send(url);
}

/** Starts this file in a role; gives its child and URL. */
function start(...args) {
  const child = fork(new URL(import.meta.url), args);
  return new Promise((resolve) => child.once('message', (url) => resolve({ child, url })));
}

/** Milliseconds to the first byte of the body, and to its end. */
function ask(url, agent) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const asked = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
    asked.on('error', reject).on('response', (response) => {
      let first;
      response
        .on('data', () => {
          first ??= performance.now() - from;
        })
        .on('end', () => resolve({ first, whole: performance.now() - from }));
    });
    asked.end(body);
  });
}

async function round(path, pairs, urls) {
  const agents = urls.map(() => new Agent({ keepAlive: true }));
  const times = urls.map(() => []);
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      await sleep((worker * pauseMs) / workers);
      for (let pair = 0; pair < pairs; pair += 1) {
        for (const [way, url] of urls.entries()) {
          times[way].push(await ask(`${url}${path}`, agents[way]));
          await sleep(pauseMs / 2);
        }
      }
    }),
  );
  for (const agent of agents) agent.destroy();
  return times;
}

const mean = (list) => list.reduce((sum, item) => sum + item, 0) / list.length;
const quantile = (list, part) => list.toSorted((a, b) => a - b)[Math.floor(part * (list.length - 1))];
const ms = (number) => number.toFixed(2);

/** A row of the table: what each way took over all rounds, and how much the averages of each round differ. */
function row(name, measured, pick) {
  const [straight, through] = [0, 1].map((way) => measured.flatMap((times) => times[way].map(pick)));
  const added = measured.map(([a, b]) => mean(b.map(pick)) - mean(a.map(pick)));
  return [
    name,
    `${ms(mean(straight))} (${ms(quantile(straight, 0.5))}, ${ms(quantile(straight, 0.99))})`,
    `${ms(mean(through))} (${ms(quantile(through, 0.5))}, ${ms(quantile(through, 0.99))})`,
    ms(mean(added)),
    `${ms(Math.min(...added))} to ${ms(Math.max(...added))}`,
  ];
}

async function measure({ write }) {
  const behind = await start('gateway');
  const between = await start('proxy', behind.url);
  const urls = [behind.url, between.url];
  const load = loadavg()[0];
  const measured = { plain: [], streamed: [] };
  await round('/plain', 100, urls);
  for (let count = 0; count < rounds; count += 1) {
    measured.plain.push(await round('/plain', pairsPerWorker.plain, urls));
    measured.streamed.push(await round('/stream', pairsPerWorker.streamed, urls));
  }
  behind.child.kill();
  between.child.kill();

  const table = [
    ['milliseconds', 'straight: mean (median, 99 %)', 'through the proxy', 'added, mean', 'of the rounds'],
    ['---', '---', '---', '---', '---'],
    row('plain answer, whole', measured.plain, ({ whole }) => whole),
    row('stream, first byte', measured.streamed, ({ first }) => first),
    row('stream, whole', measured.streamed, ({ whole }) => whole),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const about = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${ms(load)} at the start and ${ms(loadavg()[0])} at the end. ${rounds} rounds; each has ${workers * pairsPerWorker.plain} pairs of plain requests and ${workers * pairsPerWorker.streamed} of streamed ones, from ${workers} clients that pause ${pauseMs / 2} ms after each.`;
  const text = `${about}\n\n${table.join('\n')}\n`;
  process.stdout.write(text);
  if (write) {
    const intro =
      '# Results\n\n`npm run build && node benchmark/proxy.js --write` wrote this. The limits: a plain request takes less than 1 ms longer through the proxy on average, and the first byte of a stream less than 5 ms.\n\n';
    writeFileSync(new URL('RESULTS.md', import.meta.url), intro + text);
  }
}

const [role, value] = process.argv.slice(2);
if (role === 'gateway') gateway();
else if (role === 'proxy') await proxy(value);
else await measure({ write: role === '--write' });
