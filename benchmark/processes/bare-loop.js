// The least that sends the same requests: undici, and p-limit for the concurrency. Arguments: a base URL, a file of
// recorded requests, how many at once.
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { Pool } from 'undici';

const [url = '', file = '', atOnce = ''] = process.argv.slice(2);
/** @type {readonly import('../measure/record.js').Recorded[]} */
const requests = JSON.parse(readFileSync(file, 'utf8'));
const pool = new Pool(url, { connections: Number(atOnce) });
const limit = pLimit(Number(atOnce));
await Promise.all(
  requests.map((request) =>
    limit(async () => {
      const { body } = await pool.request(request);
      await body.arrayBuffer();
    }),
  ),
);
await pool.close();
