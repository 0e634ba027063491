import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

const certificates = join(import.meta.dirname, 'certificates');

/** The path of the PEM file with the certificate of the authority. */
export const authority = join(certificates, 'authority.pem');

/** Starts a server on a free port, and returns the port. The server stops when the test ends. */
export async function listenOnFreePort(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return port;
}

function connectToGateway(url: string, socket: Socket): void {
  const upstream = connect(portOf(url), '127.0.0.1');
  socket.on('error', () => upstream.destroy());
  upstream.on('error', () => socket.destroy());
  socket.pipe(upstream).pipe(socket);
}

/**
 * Starts a TLS server in front of a gateway, with the certificate of this name, and returns the base URL of the server.
 */
export async function serveWithTls(url: string, name: string): Promise<string> {
  const pem = readFileSync(join(certificates, `${name}.pem`));
  const port = await listenOnFreePort(
    createTlsServer({ key: pem, cert: pem }, (socket) => connectToGateway(url, socket)),
  );
  return `https://127.0.0.1:${port}`;
}

/** Starts a server at the IPv6 address `::1` in front of a gateway, and returns the base URL of the server. */
export async function serveOnIPv6(url: string): Promise<string> {
  const port = await listenOnFreePort(
    createServer((socket) => connectToGateway(url, socket)),
    '::1',
  );
  return `http://[::1]:${port}`;
}

/**
 * Starts a forward proxy that records its requests and connects every host name to the gateway. Returns the URL of the
 * proxy and the recorded request lines.
 */
export async function openForwardProxy(url: string): Promise<{ url: string; requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const passed = httpRequest({
      port: portOf(url),
      host: '127.0.0.1',
      method,
      headers,
      path: pathname + search,
    });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).on('connect', (request, socket: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    connectToGateway(url, socket);
  });
  return { url: `http://127.0.0.1:${await listenOnFreePort(server)}`, requests };
}

/** The source of a server that has a backlog of one connection and never accepts a connection. */
const unacceptingServer = `
const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, server.address().port + '\\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/**
 * Opens a port that drops every packet, as a firewall does, since the queue of connections is full. Returns the URL of
 * the port.
 */
export async function openDroppingPort(): Promise<string> {
  const child = spawn(process.execPath, ['-e', unacceptingServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (said) => resolve(Number(said))),
  );
  while (await hasRoom(port));
  return `http://127.0.0.1:${port}`;
}

/** Connects once more, and returns whether the queue had room for the connection. */
function hasRoom(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(false);
    }, 1_000);
    socket.on('connect', () => {
      clearTimeout(timer);
      onTestFinished(() => void socket.destroy());
      resolve(true);
    });
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
