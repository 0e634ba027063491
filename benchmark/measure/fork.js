import { fork } from 'node:child_process';
import { once } from 'node:events';
import { processFile } from './process.js';

/**
 * A process of the benchmarks that serves until it is closed.
 * @typedef {object} Served
 * @property {string} url
 * @property {() => Promise<{ url: string, before: number }>} fresh
 * Puts a new server in the place of the one before; gives its URL, and how many requests that one got.
 * @property {() => Promise<number>} cpuMs the processor time that it took until now
 * @property {() => void} close
 */

/**
 * Starts a process of the benchmarks, which tells its URL by a message.
 * @param {string} name
 * @param {readonly string[]} [args]
 * @returns {Promise<Served>}
 */
export async function serve(name, args = []) {
  const child = fork(processFile(name), args);
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}`);
  });
  gone.catch(() => {});
  const told = async () => {
    const [message] = await Promise.race([once(child, 'message'), gone]);
    return message;
  };
  /** @param {string} what */
  const ask = (what) => {
    child.send(what);
    return told();
  };
  const { url } = await told();
  return { url, fresh: () => ask('fresh'), cpuMs: () => ask('cpuMs'), close: () => void child.kill() };
}
