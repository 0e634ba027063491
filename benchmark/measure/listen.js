import { createServer } from 'node:http';

/**
 * Starts a server on a free port of the loopback interface. Returns its base URL, and a function that stops the server.
 * @param {import('node:http').RequestListener} onRequest
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function startServer(onRequest) {
  const server = createServer(onRequest);
  return new Promise((resolve, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server has no port.');
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${address.port}`, close });
    });
  });
}
