import { expect, test } from 'vitest';
import {
  chat,
  type RunningProxyCommand,
  reportOf,
  startGateway,
  startProxy,
} from '../../support/proxy-command.ts';
import { failuresIn } from '../../support/recorded-exchange.ts';

const key = 'sk-Reference-Valid-0123456789abcdefghijKLMNOP';

/** Sends a chat call without `messages`. Ignores that the response is cut off. */
async function sendIncomplete({ url }: RunningProxyCommand): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const body = JSON.stringify({ model: 'gpt-reference' });
  await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    .then((response) => response.text())
    .catch(() => undefined);
}

/** Returns the violations in the report of a proxy after so many incomplete calls, each between two good ones. */
async function findViolations(times: number, fault?: string): Promise<string[]> {
  const gateway = await startGateway(fault);
  const proxy = await startProxy(gateway.url, ['--reporter', 'json=report.json']);
  await chat(proxy, key);
  for (let time = 0; time < times; time += 1) {
    await sendIncomplete(proxy);
    await chat(proxy, key);
  }
  await proxy.stop();
  return failuresIn(reportOf(proxy)).filter((failure) => failure.startsWith('violates'));
}

test('an error that the gateway cuts off three times between good calls is a violation', async () => {
  expect(await findViolations(3, 'cut-off/messages-missing')).toEqual(['violates chat/messages-missing']);
});

test('an error that the gateway cuts off once, and a whole one, are none', async () => {
  expect(await findViolations(1, 'cut-off/messages-missing')).toEqual([]);
  expect(await findViolations(3)).toEqual([]);
});
