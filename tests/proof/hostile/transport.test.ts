import { createServer as createHttpServer, type IncomingMessage, request as passOn } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { listenOnFreePort } from '../../support/tls-servers.ts';
import { openFaultyProxy } from './faulty-proxy.ts';

let catalog: Catalog;
let gateway: ReferenceServer;
beforeAll(async () => {
  catalog = await catalogOfPackage();
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

test('redirects are not followed, so that no key is sent to another host', async () => {
  const strays: IncomingMessage[] = [];
  const otherPort = await listenOnFreePort(
    createHttpServer((request, response) => {
      strays.push(request);
      response.end('{}');
    }),
  );
  const faultyProxy = await openFaultyProxy(
    gateway.url,
    () => true,
    (socket) =>
      socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${otherPort}/v1/models\r\ncontent-length: 0\r\n\r\n`,
      ),
  );
  onTestFinished(faultyProxy.close);
  const report = await runSuite(
    createPromise(catalog, parseProfile({ ...gateway.profile, baseUrl: faultyProxy.url }, catalog)),
  );
  expect(strays).toEqual([]);
  expect(faultyProxy.times()).toBeGreaterThan(0);
  expect(report.verdict).not.toBe('conforms');
  const messages = report.diagnosis.map(({ message }) => message).join();
  expect(messages).toContain(`307 to http://127.0.0.1:${otherPort}/v1/models, which is not followed`);
});

test('a gateway that closes connections under load without an announcement is judged completely', async () => {
  const { hostname: host, port } = new URL(gateway.url);
  const answers = new WeakMap<Socket, number>();
  let closed = 0;
  const ownPort = await listenOnFreePort(
    createHttpServer((request, response) => {
      const { method, url: path, rawHeaders: headers, socket } = request;
      const forwarded = passOn({ host, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(response);
      });
      request.pipe(forwarded);
      response.on('finish', () => {
        const count = (answers.get(socket) ?? 0) + 1;
        answers.set(socket, count);
        if (count < 5) return;
        closed += 1;
        // A moment later, the next request may already be on its way.
        setTimeout(() => socket.destroy(), 1);
      });
    }),
  );
  const report = await runSuite(
    createPromise(
      catalog,
      parseProfile({ ...gateway.profile, baseUrl: `http://127.0.0.1:${ownPort}` }, catalog),
    ),
  );
  expect(closed).toBeGreaterThan(50);
  expect(report.cases.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id)).toEqual([]);
  expect(report.summary.cases.inconclusive).toBe(0);
});
