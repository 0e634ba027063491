import { expect, test } from 'vitest';
import { replaceContinue } from './pool.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

test.each([
  ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 102 Continue\r\n\r\n'],
  ['HTTP/1.0 100\r\n\r\n', 'HTTP/1.0 102\r\n\r\n'],
  ['HTTP/1.1 100 Continue\r\nx: 1\r\n\r\n', 'HTTP/1.1 102 Continue\r\nx: 1\r\n\r\n'],
  [
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Continue\r\n\r\n',
  ],
  ['HTTP/1.1 100 Conti', 'HTTP/1.1 102 Conti'],
])('replaces %j with %j, alone and before a response', (sent, read) => {
  for (const rest of ['', answer]) {
    const piece = Buffer.from(sent + rest);
    replaceContinue(piece);
    expect(piece.toString()).toBe(read + rest);
  }
});

test.each([
  answer,
  `${answer}HTTP/1.1 100 Continue\r\n\r\n`,
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 1000 Odd\r\n\r\n',
  'HTTP/1.1 10',
  'data: HTTP/1.1 100 Continue\r\n\r\n',
  '',
])('does not change %j', (sent) => {
  const piece = Buffer.from(sent);
  replaceContinue(piece);
  expect(piece.toString()).toBe(sent);
});
