import type { Json } from '../json.ts';
import type { Header, OutgoingEvent, Reply, ResponseContent } from '../wire/response.ts';
import type { RefusalTexts } from './facts.ts';
import type { BodyChange, Change, Edit, EventTemplate } from './rule.ts';
import { editAt, fill, type Right, valueAt } from './template.ts';

/** Creates a reply that a rule states itself. Its status is 200 by default, and its body empty. */
export function createAnswer(
  { status = 200, ...body }: NonNullable<Change['answer']>,
  headers: readonly Header[],
): Reply {
  return { status, headers, content: createContent(body, { body: null, headers }) ?? { kind: 'nothing' } };
}

/** The members of `error` that have a word of their own. A reply without the member doesn't get it. */
const errorMembers = ['type', 'code', 'message', 'details'] as const;

/**
 * Applies the changes of a reply: first the status with what follows from it, then the members of `error`, then the
 * edits of the body. A whole new body replaces all of these.
 */
export function changeReply(reply: Reply, change: Change, problem?: RefusalTexts): Reply {
  const body = readJson(reply.content);
  const right: Right = { body: body ?? null, headers: reply.headers, problem };
  const content = change.body === 'none' ? nothing : createContent(change, right);
  // A whole new body repeats no status, so only the status line changes with it.
  if (content !== undefined) return { ...reply, status: change.status ?? reply.status, content };
  const changed = change.status === undefined ? reply : withStatus(reply, change.status);
  const before = readJson(changed.content);
  if (before === undefined) return changed;
  let after = before;
  for (const name of errorMembers) {
    const how = change[name];
    if (how === undefined || valueAt(after, `/error/${name}`) === undefined) continue;
    after = editAt(after, `/error/${name}`, how, right);
  }
  const edits: Readonly<Record<string, Edit>> = typeof change.body === 'object' ? change.body : {};
  for (const [pointer, how] of Object.entries(edits)) after = editAt(after, pointer, how, right);
  return after === before ? changed : { ...changed, content: { kind: 'json', value: after } };
}

const nothing: ResponseContent = { kind: 'nothing' };

/** Sets the status, and what repeats it: `error.code`, and the header that every 401 has. */
function withStatus(reply: Reply, status: number): Reply {
  const body = readJson(reply.content);
  const isRepeated = body !== undefined && valueAt(body, '/error/code') === reply.status;
  const others = reply.headers.filter(([name]) => name.toLowerCase() !== 'www-authenticate');
  const challenge: Header = ['www-authenticate', 'Bearer'];
  const headers = status === 401 ? [...others, challenge] : reply.status === 401 ? others : reply.headers;
  return {
    status,
    headers: status === reply.status ? reply.headers : headers,
    content: isRepeated
      ? { kind: 'json', value: editAt(body, '/error/code', status, { body, headers }) }
      : reply.content,
  };
}

/** Returns the JSON value of a body; undefined if the body isn't JSON. */
function readJson(content: ResponseContent): Json | undefined {
  if (content.kind === 'json') return content.value;
  if (content.kind !== 'text' || !/[/+]json\b/.test(content.mediaType)) return undefined;
  try {
    const value: Json = JSON.parse(content.text);
    return value;
  } catch {
    return undefined;
  }
}

/** Returns the whole body that a change states; undefined if it states none. */
function createContent({ json, text, events }: BodyChange, right: Right): ResponseContent | undefined {
  if (json !== undefined) return { kind: 'json', value: fill(json, right) };
  if (text !== undefined)
    return { kind: 'text', mediaType: 'text/plain; charset=utf-8', text: String(fill(text, right)) };
  if (events === undefined) return undefined;
  const texts = events.flatMap((event) => (typeof event === 'string' ? [event] : []));
  if (texts.length > 0) return { kind: 'chunks', mediaType: 'text/event-stream; charset=utf-8', texts };
  return {
    kind: 'events',
    events: events.flatMap((event) => (typeof event === 'string' ? [] : [fillEvent(event, right)])),
  };
}

function fillEvent({ event, data: template }: EventTemplate, right: Right): OutgoingEvent {
  const data = fill(template, right);
  return { name: event, data: typeof data === 'string' ? prefixLines(data) : data };
}

// A line break would end the `data:` line. In server-sent events, each line of the data needs its own `data:`.
const prefixLines = (data: string): string => data.replace(/\r\n|\r|\n/g, '\ndata: ');
