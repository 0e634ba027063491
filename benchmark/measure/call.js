/** A valid chat call to the reference gateway. */
export const chatCall = {
  method: /** @type {const} */ ('POST'),
  path: '/v1/chat/completions',
  headers: {
    authorization: 'Bearer sk-Reference-Valid-0123456789abcdefghijKLMNOP',
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'benchmark',
  },
  body: JSON.stringify({
    model: 'gpt-reference',
    messages: [
      { role: 'system', content: 'You answer in one sentence.' },
      { role: 'user', content: 'What is this?' },
    ],
    temperature: 0.5,
  }),
};
