import { all } from '../behaviour.ts';
import { drip, due, head, say, sayAndEnd, whole } from '../wire.ts';

/** Gateways that say nothing, stop in the middle, or hang up. */
export const silence = all('inconclusive', {
  'accepts and never answers': [() => {}, /no response began/],
  'headers that never end': [say('HTTP/1.1 401 Unauthorized\r\nx-a: b\r\n'), /no response began/],
  'headers, then nothing': [say(head('content-length: 10')), /no further part of the body/],
  'headers a byte at a time': [drip(whole(due), 100), /no response began/],
  'a body a byte at a time': [
    (socket, request) => {
      socket.write(head('content-length: 100000'));
      drip('x', 50)(socket, request);
    },
    /not whole when the total time/,
  ],
  'chunks without a last one': [
    say(head('transfer-encoding: chunked'), '5\r\n{"a":\r\n'),
    /no further part of the body/,
  ],
  'reset at once': [(socket) => void socket.resetAndDestroy(), /ECONNRESET|closed|reset/i],
  'closed at once': [(socket) => void socket.end(), /closed/],
  'closed in the status line': [sayAndEnd('HTTP/1.1 40'), /closed|EOF/i],
  'closed in the headers': [sayAndEnd('HTTP/1.1 401 Unauthorized\r\nx-a'), /closed|EOF/i],
  'reset in the body': [
    (socket) => {
      socket.write(head('content-length: 1000'));
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    /ECONNRESET|terminated|closed|aborted/i,
  ],
  'closed in the body': [sayAndEnd(head('content-length: 1000'), due.slice(0, 20)), /closed|EOF|aborted/i],
});
