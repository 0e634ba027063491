import { createBehaviours } from '../behaviour.ts';
import { drip, expectedBody, head, response, send, sendAndEnd } from '../wire.ts';

/** Gateways that do not respond, respond too slowly, stop in the middle or close the connection. */
export const silence = createBehaviours('inconclusive', {
  'no response': [() => {}, /no response began/],
  'incomplete headers': [send('HTTP/1.1 401 Unauthorized\r\nx-a: b\r\n'), /no response began/],
  'headers without the body': [send(head('content-length: 10')), /no further part of the body/],
  'headers, one byte at a time': [drip(response(expectedBody), 100), /no response began/],
  'a body, one byte at a time': [
    (socket, request) => {
      socket.write(head('content-length: 100000'));
      drip('x', 50)(socket, request);
    },
    /not complete within the total time/,
  ],
  'chunks without the last chunk': [
    send(head('transfer-encoding: chunked'), '5\r\n{"a":\r\n'),
    /no further part of the body/,
  ],
  'connection reset immediately': [(socket) => void socket.resetAndDestroy(), /ECONNRESET|closed|reset/i],
  'connection closed immediately': [(socket) => void socket.end(), /closed/],
  'connection closed in the status line': [sendAndEnd('HTTP/1.1 40'), /closed|EOF/i],
  'connection closed in the headers': [sendAndEnd('HTTP/1.1 401 Unauthorized\r\nx-a'), /closed|EOF/i],
});

/** Gateways that break off each response to a request that they must refuse. */
export const cutOff = createBehaviours('violates', {
  'connection reset in the body': [
    (socket) => {
      socket.write(head('content-length: 1000'));
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    /closed before its end each time/,
  ],
  'connection closed in the body': [
    sendAndEnd(head('content-length: 1000'), expectedBody.slice(0, 20)),
    /closed before its end each time/,
  ],
});
