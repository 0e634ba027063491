/**
 * Sends the URL of this server to the parent process. Responds to each message of the parent process with the result
 * of the function that the message names. `cpuMs` and `memory` are always available.
 * @param {string} url
 * @param {Readonly<Record<string, () => unknown>>} [answers] a function for each message
 */
export function connectToParent(url, answers = {}) {
  const all = { ...answers, cpuMs, memory: () => process.memoryUsage.rss() };
  process.on('message', async (asked) => {
    const answer = /** @type {Readonly<Record<string, () => unknown>>} */ (all)[String(asked)];
    process.send?.(await answer?.());
  });
  process.send?.({ url });
}

/** Returns the CPU time of this process so far, in milliseconds. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
