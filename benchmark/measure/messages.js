/**
 * Answers the messages of the process that started this one, and tells it the URL.
 * @param {string} url
 * @param {Readonly<Record<string, () => unknown>>} [answers] by what is asked
 */
export function tell(url, answers = {}) {
  const all = { ...answers, cpuMs };
  process.on('message', async (asked) => {
    const answer = /** @type {Readonly<Record<string, () => unknown>>} */ (all)[String(asked)];
    process.send?.(await answer?.());
  });
  process.send?.({ url });
}

/** The processor time of this process until now. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
