// Loaded before a command (`--import`): when a server in this process receives its first request, writes the time to
// descriptor 3, in nanoseconds of the system-wide monotonic clock, and exits.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';

subscribe('http.server.request.start', () => {
  writeSync(3, String(process.hrtime.bigint()));
  process.exit();
});
