// Loaded before a command (`--import`): tells on descriptor 3 what its main process used, once it ends. What a process
// started itself has no such descriptor, and tells nothing.
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The most memory that this process held, in bytes; where there is no /proc, what its parent held counts too. */
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
