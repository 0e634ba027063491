// Loaded before a command (`--import`): tells on descriptor 3 when a server in this process got its first request, as
// nanoseconds of the clock that all processes of a machine share, and ends the process.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';

subscribe('http.server.request.start', () => {
  writeSync(3, String(process.hrtime.bigint()));
  process.exit();
});
