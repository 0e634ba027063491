// A hand-written handler of node:http for one operation. The handler parses the body, checks the key, the model and
// the types of the properties, and sends the same response as the reference gateway, with the same headers. The
// handler has no other routes, no accounts, no records and no journal.
import { randomUUID } from 'node:crypto';
import { chatCall } from '../measure/call.js';
import { startServer } from '../measure/listen.js';
import { connectToParent } from '../measure/messages.js';

const models = ['gpt-reference', 'gpt-reference-text'];
const answerText = 'This is gpt-reference of the reference gateway.';
/** @param {string} text */
const tokens = (text) => Math.max(1, Math.ceil(text.length / 4));

/** @param {unknown} body @returns {string | undefined} the first problem */
function faultOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'The body must be an object.';
  const { model, messages, stream } = /** @type {Record<string, unknown>} */ (body);
  if (typeof model !== 'string') return '`model` must be a string.';
  if (!models.includes(model)) return 'The model does not exist.';
  if (stream !== undefined && typeof stream !== 'boolean') return '`stream` must be a boolean.';
  if (!Array.isArray(messages)) return '`messages` must be an array.';
  for (const message of messages) {
    if (typeof message !== 'object' || message === null) return '`messages` must contain objects.';
    if (typeof message.role !== 'string') return '`role` must be a string.';
    if (typeof message.content !== 'string') return '`content` must be a string.';
  }
  return undefined;
}

/** @param {{ model: string, messages: readonly { content: string }[] }} body @param {string} id */
function answerTo({ model, messages }, id) {
  const input = tokens(messages.map(({ content }) => content).join(''));
  const output = tokens(answerText);
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answerText },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

const { url } = await startServer((request, response) => {
  /** @type {Buffer[]} */
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const trace = randomUUID();
    /** @param {number} status @param {unknown} value @param {Record<string, string>} [more] */
    const send = (status, value, more) => {
      const text = JSON.stringify(value);
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'x-trace-id': trace,
        ...more,
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    };
    /** @param {number} status @param {string} type @param {string} message */
    const refuse = (status, type, message) =>
      send(status, { error: { message, type, code: status, details: null }, trace_id: trace });

    if (request.method !== chatCall.method || request.url !== chatCall.path)
      return refuse(404, 'invalid_request_error', 'There is no endpoint at this path.');
    if (request.headers.authorization !== chatCall.headers.authorization)
      return refuse(401, 'invalid_bearer_token', 'The API key is wrong.');
    let body;
    try {
      body = JSON.parse(Buffer.concat(parts).toString());
    } catch {
      return refuse(400, 'invalid_request_error', 'The request body must be a JSON object.');
    }
    const fault = faultOf(body);
    if (fault !== undefined) return refuse(400, 'invalid_request_error', fault);
    const id = randomUUID();
    send(200, answerTo(body, id), { 'x-request-id': id, 'request-id': id });
  });
});
connectToParent(url);
