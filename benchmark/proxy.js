// Measures what the proxy adds to a request, against the same request sent straight to the gateway.
//   npm run build && node benchmark/proxy.js [--write]
// The gateway, the proxy and the client are processes of their own. Requests are paced, and each that goes straight is
// followed by one through the proxy and one through a bare proxy, so that all meet the same load of the machine. The bare
// proxy is the least that Node can do: it pipes, and copies and checks nothing. It shows what the machine takes for a hop.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openProxy } from '../dist/runner/proxy/open-proxy.js';

const rounds = 7;
const workers = 4;
const perWorker = { plain: 250, streamed: 60 };
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

function bareProxy(baseUrl) {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  const server = createServer(({ method, url, headers }, response) => {
    const asked = request({ agent, hostname, port, method, path: url, headers });
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    response.req.pipe(asked);
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

async function round(path, turns, urls) {
  const agents = urls.map(() => new Agent({ keepAlive: true }));
  const times = urls.map(() => []);
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      await sleep((worker * pauseMs) / workers);
      for (let turn = 0; turn < turns; turn += 1) {
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

/** A row of the table: what each way took over all rounds, and how much the averages of each round differ from the straight way. */
function row(name, measured, pick) {
  const shown = (way) => {
    const all = measured.flatMap((times) => times[way].map(pick));
    return `${ms(mean(all))} (${ms(quantile(all, 0.5))}, ${ms(quantile(all, 0.99))})`;
  };
  const added = (way) => {
    const differences = measured.map((times) => mean(times[way].map(pick)) - mean(times[0].map(pick)));
    return `${ms(mean(differences))} (${ms(Math.min(...differences))} to ${ms(Math.max(...differences))})`;
  };
  return [name, shown(0), shown(1), added(1), shown(2), added(2)];
}

async function measure({ write }) {
  const behind = await start('gateway');
  const between = await start('proxy', behind.url);
  const bare = await start('bare-proxy', behind.url);
  const urls = [behind.url, between.url, bare.url];
  const load = loadavg()[0];
  const measured = { plain: [], streamed: [] };
  await round('/plain', 100, urls);
  for (let count = 0; count < rounds; count += 1) {
    measured.plain.push(await round('/plain', perWorker.plain, urls));
    measured.streamed.push(await round('/stream', perWorker.streamed, urls));
  }
  behind.child.kill();
  between.child.kill();
  bare.child.kill();

  const table = [
    [
      'milliseconds: mean (median, 99 %)',
      'straight',
      'through the proxy',
      '**added**, mean (of the rounds)',
      'through a bare proxy',
      'added by that',
    ],
    Array(6).fill('---'),
    row('plain answer, whole', measured.plain, ({ whole }) => whole),
    row('stream, first byte', measured.streamed, ({ first }) => first),
    row('stream, whole', measured.streamed, ({ whole }) => whole),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const about = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${ms(load)} at the start and ${ms(loadavg()[0])} at the end. ${rounds} rounds; each sends ${workers * perWorker.plain} plain requests and ${workers * perWorker.streamed} streamed ones on each way, from ${workers} clients that pause ${pauseMs / 2} ms after each.`;
  const text = `${about}\n\n${table.join('\n')}\n`;
  process.stdout.write(text);
  if (write) {
    const intro =
      '# Results\n\n`npm run build && node benchmark/proxy.js --write` wrote this. The limits: a plain request takes less than 1 ms longer through the proxy on average, and the first byte of a stream less than 5 ms. A bare proxy of Node that only pipes, measured beside it, shows what the machine takes for one more hop.\n\n';
    writeFileSync(new URL('RESULTS.md', import.meta.url), intro + text);
  }
}

const [role, value] = process.argv.slice(2);
if (role === 'gateway') gateway();
else if (role === 'proxy') await proxy(value);
else if (role === 'bare-proxy') bareProxy(value);
else await measure({ write: role === '--write' });
