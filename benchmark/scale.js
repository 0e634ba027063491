// Measures what a run takes as it grows, with listed models and with rounds.
//   npm run build && node benchmark/scale.js [--models] [--repeat] [CASES…]
// The reference gateway, with as many models as it takes, is a process of its own; so is each run, whose largest memory
// (resident, as the system counts it) is its own. Without CASES: 1,000, 10,000 and 100,000, which take a few minutes.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReferenceServer } from '../dist/reference-server/index.js';
import { readSeed } from '../dist/reference-server/seed.js';

const program = fileURLToPath(new URL('../bin/conformance.js', import.meta.url));
const ways = {
  models: (count) => [[`${count} models`], ['--models', 'scale-*']],
  repeat: (count) => [[`${count} rounds`], ['--repeat', String(count)]],
};

async function serve(count) {
  const seed = readSeed();
  const models = Array.from({ length: count }, (_, index) => ({
    id: `scale-${index + 1}`,
    protocols: ['chat', 'responses'],
    images: true,
  }));
  const server = await createReferenceServer({ seed: { ...seed, models: [...seed.models, ...models] } });
  process.send(server.profile);
}

/** Starts a gateway with so many models more than usual; gives its profile, and what ends it. */
function gateway(count) {
  const child = fork(fileURLToPath(import.meta.url), ['serve', String(count)]);
  return new Promise((resolve, reject) => {
    child.on('error', reject).once('message', (profile) => resolve({ profile, close: () => child.kill() }));
  });
}

/** One run: its report, the seconds of the wall clock and of the processor, and the largest memory in MB. */
async function measure(profile, flags) {
  const folder = mkdtempSync(join(tmpdir(), 'scale-'));
  const file = (name) => join(folder, name);
  writeFileSync(file('conformance.yaml'), JSON.stringify(profile));
  writeFileSync(
    file('usage.mjs'),
    "import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => writeFileSync('usage.json', JSON.stringify(process.resourceUsage())));\n",
  );
  const args = ['--import', './usage.mjs', program, 'run', '--reporter', 'json=report.json', ...flags];
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  const seconds = (performance.now() - start) / 1000;
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(file('usage.json'), 'utf8'));
  const report = JSON.parse(readFileSync(file('report.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  return { report, seconds, cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 };
}

async function main(args) {
  const wanted = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const sizes = wanted.length > 0 ? wanted : [1_000, 10_000, 100_000];
  const names = Object.keys(ways).filter((name) => args.includes(`--${name}`));
  // What one model, and one round, come to.
  const { profile, close } = await gateway(1);
  const plain = (await measure(profile, [])).report.summary.cases.planned;
  const each = (await measure(profile, ['--models', 'scale-1'])).report.summary.cases.planned - plain;
  close();
  console.log('| what | cases | requests | seconds | processor s | requests/s | max memory MB | verdict |');
  console.log('|---|--:|--:|--:|--:|--:|--:|---|');
  for (const name of names.length > 0 ? names : Object.keys(ways)) {
    for (const size of sizes) {
      const count =
        name === 'models'
          ? Math.max(1, Math.ceil((size - plain) / each))
          : Math.max(1, Math.ceil(size / plain));
      const target = await gateway(name === 'models' ? count : 0);
      const [[what], flags] = ways[name](count);
      const { report, seconds, cpu, rss } = await measure(target.profile, flags);
      target.close();
      const cases = report.summary.cases.planned * report.rounds;
      const { sent } = report.requests;
      console.log(
        `| ${[what, cases, sent, seconds.toFixed(1), cpu.toFixed(1), Math.round(sent / seconds), Math.round(rss), report.verdict].join(' | ')} |`,
      );
    }
  }
}

if (process.argv[2] === 'serve') await serve(Number(process.argv[3]));
else await main(process.argv.slice(2));
