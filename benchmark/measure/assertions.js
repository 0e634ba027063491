/**
 * The response that the other runners expect: the status and `error.type`. `type` is undefined if the response has no
 * `error.type`.
 * @typedef {{ status: number, type: string | undefined }} Expected
 */

/** @param {import('./record.js').RecordedResponse} answer @returns {Expected} */
export function expectedOf({ status, body }) {
  const found = /^\{"error":\{.*"type":"([a-z_]+)"/.exec(body);
  return { status, type: found?.[1] };
}

/**
 * A request with the expected response. `expected` is undefined if the response is not checked.
 * @typedef {{ request: import('./record.js').RecordedRequest, expected: Expected | undefined }} Step
 */

/**
 * Converts steps to an Arazzo description of one workflow.
 * @param {readonly Step[]} steps
 * @param {string} url
 */
export const toArazzo = (steps, url) => ({
  arazzo: '1.0.1',
  info: { title: 'Benchmark', version: '1.0.0' },
  sourceDescriptions: [{ name: 'gateway', type: 'openapi', url: 'openapi.yaml' }],
  workflows: [
    {
      workflowId: 'all',
      steps: steps.map(({ request: { method, path, headers, body }, expected }, index) => ({
        stepId: `step-${index}`,
        'x-operation': { url: `${url}${path}`, method: method.toLowerCase() },
        parameters: Object.entries(headers).map(([name, value]) => ({ in: 'header', name, value })),
        ...(body !== null && { requestBody: { contentType: 'application/json', payload: parseBody(body) } }),
        ...(expected && { successCriteria: [{ condition: conditionOf(expected) }] }),
      })),
    },
  ],
});

/** Returns the parsed text; the unchanged text if the text is not JSON. @param {string} text @returns {unknown} */
function parseBody(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {Expected} expected */
const conditionOf = ({ status, type }) =>
  type === undefined
    ? `$statusCode == ${status}`
    : `$statusCode == ${status} && $response.body#/error/type == '${type}'`;

/**
 * Converts steps to a Postman collection.
 * @param {readonly Step[]} steps
 * @param {string} url
 */
export const toCollection = (steps, url) => ({
  info: {
    name: 'Benchmark',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: steps.map(({ request: { method, path, headers, body }, expected }, index) => ({
    name: `step ${index}`,
    request: {
      method,
      url: `${url}${path}`,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      ...(body !== null && { body: { mode: 'raw', raw: body } }),
    },
    ...(expected && { event: [{ listen: 'test', script: { exec: [testOf(expected)] } }] }),
  })),
});

/** @param {Expected} expected */
function testOf({ status, type }) {
  const ofType = type === undefined ? '' : ` pm.expect(pm.response.json().error.type).to.equal('${type}');`;
  return `pm.test('as expected', () => { pm.response.to.have.status(${status});${ofType} });`;
}
