import { decodeBody, readContent } from './decode.ts';
import type { Answer } from './exchange.ts';
import type { KeptPieces } from './keep-pieces.ts';

/** The answer with this body, of which at most `limit` bytes were kept; names of headers in lower case. */
export function makeAnswer(
  status: number,
  headers: Answer['headers'],
  body: Omit<KeptPieces, 'add'>,
  limit: number,
): Answer {
  const common = { status, headers, pieces: body.seen().pieces };
  const raw = body.kept();
  const unreadable = (reason: string): Answer => ({
    ...common,
    text: raw.toString('utf8'),
    size: raw.length,
    content: { kind: 'unreadable', reason },
  });
  if (!body.isWhole()) return unreadable(`it is longer than ${limit} bytes, the limit of --max-body`);
  const decoded = decodeBody(raw, headers['content-encoding'] ?? '', limit);
  if (decoded.kind === 'unreadable') return unreadable(decoded.reason);
  const text = decoded.bytes.toString('utf8');
  return { ...common, text, size: decoded.bytes.length, content: readContent(text) };
}
