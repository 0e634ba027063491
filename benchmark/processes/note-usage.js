// Loaded before a command (`--import`). When the process exits, this module writes the CPU time in milliseconds and the
// peak memory in bytes to descriptor 3. Child processes of the command do not have this descriptor and write nothing.
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Returns the peak memory of this process in bytes. Without /proc, the value may include the memory of the parent
 * process.
 */
function peakBytes() {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {}
  return process.resourceUsage().maxRSS * 1024;
}

if (isMainThread) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    try {
      writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, peakBytes: peakBytes() }));
    } catch {}
  });
}
