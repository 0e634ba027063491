// Loaded before a command (`--import`). When a server in this process receives its first request, this module writes
// the time to descriptor 3, in nanoseconds of the monotonic clock of the system, and exits.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';

subscribe('http.server.request.start', () => {
  writeSync(3, String(process.hrtime.bigint()));
  process.exit();
});
