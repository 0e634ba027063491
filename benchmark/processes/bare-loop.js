// The smallest program that sends recorded requests: undici, with p-limit for the concurrency. Arguments: a base URL, a
// file of recorded requests, the number of concurrent requests.
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { Pool } from 'undici';

const [url = '', file = '', concurrency = ''] = process.argv.slice(2);
/** @type {readonly import('../measure/record.js').RecordedRequest[]} */
const requests = JSON.parse(readFileSync(file, 'utf8'));
const pool = new Pool(url, { connections: Number(concurrency) });
const limit = pLimit(Number(concurrency));
await Promise.all(
  requests.map((request) =>
    limit(async () => {
      const { body } = await pool.request(request);
      await body.arrayBuffer();
    }),
  ),
);
await pool.close();
