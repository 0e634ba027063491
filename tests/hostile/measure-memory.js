// Loaded before a command: writes the most memory that the process ever held, in kilobytes, to the file it is told.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.MEMORY_FILE ?? 'memory', String(mostMemory()));
});

/** The peak of this process alone: what the kernel tells of a child otherwise counts its parent's too. */
function mostMemory() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
