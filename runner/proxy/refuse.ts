import type { ServerResponse } from 'node:http';

/** Answers in the proxy's own name, in a form that can't be taken for an answer of the gateway. */
export function refuse(response: ServerResponse, status: 501 | 502, error: string): void {
  const body = Buffer.from(JSON.stringify({ proxy: 'model-gateway-conformance', error }));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-conformance-proxy': 'error',
  });
  response.end(body);
}
