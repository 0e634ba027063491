// Sends one request again and again, and tells how many were answered 200. Arguments: a base URL, how many at once, for
// how many milliseconds.
import { Pool } from 'undici';
import { chatCall } from '../measure/call.js';

const [url = '', atOnce = '', milliseconds = ''] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(atOnce) });
let answered = 0;
const from = performance.now();
const isOver = () => performance.now() - from >= Number(milliseconds);

/** Sends the next request as soon as this one is over. @returns {Promise<void>} */
const inARow = () =>
  new Promise((resolve, reject) => {
    const next = () => {
      if (isOver()) return resolve();
      pool.dispatch(chatCall, {
        onConnect: () => {},
        onHeaders: (status) => {
          if (status !== 200) reject(new Error(`answered ${status}`));
          return true;
        },
        onData: () => true,
        onComplete: () => {
          answered += 1;
          next();
        },
        onError: reject,
      });
    };
    next();
  });

await Promise.all(Array.from({ length: Number(atOnce) }, inARow));
const seconds = (performance.now() - from) / 1000;
await pool.close();
process.stdout.write(JSON.stringify({ answered, seconds }));
