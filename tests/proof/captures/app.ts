import { createServer, type Server, request as send } from 'node:http';
import type { Page } from 'playwright-core';

/** A web page and the gateway that the page calls, on the same port. */
export interface App {
  readonly url: string;
  /** The URL of the same app under another origin. */
  readonly otherUrl: string;
  readonly close: () => Promise<void>;
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
};

/** Serves an empty page at `/`, responds to preflights, and forwards everything else to a gateway. */
export async function openApp(gateway: { readonly url: string }): Promise<App> {
  const server: Server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>App</title>');
    } else if (method === 'OPTIONS') {
      response.writeHead(204, cors).end();
    } else {
      const onward = send(new URL(url, gateway.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...cors });
        answer.pipe(response);
      });
      request.pipe(onward);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: { port: number } = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Calls the gateway from an open page, as a chat in a web page does, and returns the statuses. */
export function callFromPage(page: Page, baseUrl: string, key: string): Promise<number[]> {
  return page.evaluate(`(async () => {
    const bearer = { authorization: ${JSON.stringify(`Bearer ${key}`)} };
    const chat = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }] };
    const post = (body, headers) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const calls = [
      ['/v1/chat/completions', post(chat, bearer)],
      ['/v1/models', { headers: bearer }],
      ['/v1/chat/completions', post({ ...chat, stream: true }, bearer)],
      ['/v1/chat/completions', post(chat, { authorization: 'Bearer sk-no-one-has-this-key' })],
      ['/v1/chat/completions', post({ ...chat, model: 'nope' }, bearer)],
      ['/v1/chat/completions', post({ model: 'gpt-reference' }, bearer)],
      ['/v1/chat/completions', post('{"model":', bearer)],
    ];
    const statuses = [];
    for (const [path, init] of calls) {
      const answer = await fetch(${JSON.stringify(baseUrl)} + path, init);
      await answer.text();
      statuses.push(answer.status);
      // The times of a recording are not exact. Without a pause, consecutive calls can appear to overlap.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return statuses;
  })()`);
}
