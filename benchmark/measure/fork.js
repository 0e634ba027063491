import { fork } from 'node:child_process';
import { once } from 'node:events';
import { processFile } from './process.js';

/**
 * A server in a separate process.
 * @typedef {object} ServerProcess
 * @property {string} url
 * @property {() => Promise<{ url: string, before: number }>} fresh only for the reference gateway: replaces the
 * server with a new server, and returns the new URL and the number of requests to the previous server
 * @property {() => Promise<number>} cpuMs the CPU time of the process so far, in milliseconds
 * @property {() => Promise<number>} memory the resident memory of the process, in bytes
 * @property {() => void} close stops the process
 */

/**
 * Starts a script in `processes/`, and waits for the message with its URL. Rejects if the process exits before the
 * message.
 * @param {string} name
 * @param {readonly string[]} [args]
 * @returns {Promise<ServerProcess>}
 */
export async function forkServer(name, args = []) {
  const child = fork(processFile(name), args);
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} exited with ${code}`);
  });
  gone.catch(() => {});
  const nextMessage = async () => {
    const [message] = await Promise.race([once(child, 'message'), gone]);
    return message;
  };
  /** @param {string} what */
  const ask = (what) => {
    child.send(what);
    return nextMessage();
  };
  const { url } = await nextMessage();
  return {
    url,
    fresh: () => ask('fresh'),
    cpuMs: () => ask('cpuMs'),
    memory: () => ask('memory'),
    close: () => void child.kill(),
  };
}
