import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { packageInfo } from '../catalog/package-info.ts';
import { parseDuration } from '../profile/duration.ts';
import { exitCodes } from '../report/exit-code.ts';
import type { RunFlags } from './run-command.ts';
import type { ServeFlags } from './serve-command.ts';

const program = new Command('conformance')
  .description('Judges AI model gateways against their interface specification.')
  .version(packageInfo.version)
  .showSuggestionAfterError()
  .showHelpAfterError('(--help shows every command and flag)')
  .exitOverride();

program
  .command('run', { isDefault: false })
  .description('Judge a gateway. Without a target, start the reference gateway and judge it.')
  .option('--base-url <url>', 'the gateway; its key comes from GATEWAY_API_KEY')
  .option('--profile <file>', 'what is known of the gateway (default: conformance.yaml, where there is one)')
  .option('--key-file <file>', 'a file that holds the valid key and nothing else')
  .option('--key <key>', 'the valid key; other users of this machine may see it, so prefer the environment')
  .option('--suite <name>', 'only this suite; may be given several times', collect, [])
  .option(
    '--only <pattern>',
    'only cases or requirements whose id matches, * stands for any text; several times',
    collect,
    [],
  )
  .option(
    '--reporter <name[=file]>',
    'terminal, json or junit, to a file or to stdout; several times',
    collect,
    [],
  )
  .option('--concurrency <n>', 'requests at once', count, 8)
  .option('--wait <time>', 'wait for a gateway that is still starting', duration, 0)
  .option('--strict', 'fail with 3 where anything was not applicable', false)
  .option('--strict-should', 'fail with 1 where a `should` is not kept', false)
  .option('--verbose', 'show every case of a finding, and what was observed', false)
  .addOption(limit('--connect-timeout <time>', 'for a connection', 5_000))
  .addOption(limit('--first-byte-timeout <time>', 'for the head of an answer', 10_000))
  .addOption(limit('--success-timeout <time>', 'the same where a success is due, since models think', 60_000))
  .addOption(limit('--idle-timeout <time>', 'between two pieces of a body', 30_000))
  .addOption(limit('--total-timeout <time>', 'for a whole exchange', 120_000))
  .option('--max-body <bytes>', 'the longest body that is read', count, 1024 * 1024)
  .action(async (flags: RunFlags) => {
    const { runCommand } = await import('./run-command.ts');
    process.exitCode = await runCommand(flags);
  });

program
  .command('serve')
  .description('Start the reference gateway, to develop clients against.')
  .option('--host <address>', 'the address to listen on', '127.0.0.1')
  .option('--port <n>', 'the port to listen on; 0 takes a free one', port, 8787)
  .option('--fault <id>', 'with this defect, to see the suite at work; several times', collect, [])
  .option('--variant <id>', 'with this legal oddity; several times', collect, [])
  .action(async (flags: ServeFlags) => {
    const { serveCommand } = await import('./serve-command.ts');
    await serveCommand(flags);
  });

program
  .command('list')
  .description('List what there is.')
  .argument('[what]', 'requirements, cases, suites, operations, faults or variants', 'requirements')
  .action(async (what: string) => {
    const { listCommand } = await import('./list-command.ts');
    process.stdout.write(await listCommand(what));
  });

program
  .command('explain')
  .description('Explain a requirement or a case: the clause, what is sent, what is expected, a curl line.')
  .argument('<id>', 'the id of a requirement or a case')
  .action(async (id: string) => {
    const { explainCommand } = await import('./explain-command.ts');
    process.stdout.write(await explainCommand(id));
  });

// A reader such as `head` may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await fail(error);
}

/** Says what is wrong in one message; a defect of ours keeps its stack. */
async function fail(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const { isUserError } = await import('./user-error.ts');
  if (!isUserError(error)) {
    const told = error instanceof Error ? error.stack : String(error);
    process.stderr.write(
      `conformance: this is a defect of the suite, not of the gateway. Please report it.\n${told}\n`,
    );
    return exitCodes.defect;
  }
  process.stderr.write(`conformance: ${error.message}\n`);
  return exitCodes.usage;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
}

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('A port is 0 to 65535.');
  return number;
}

function duration(value: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === undefined) throw new InvalidArgumentError('A time looks like 500ms, 10s or 2m.');
  return milliseconds;
}

function limit(flags: string, of: string, milliseconds: number): Option {
  return new Option(flags, `time limit ${of}`)
    .argParser(duration)
    .default(milliseconds, `${milliseconds / 1000}s`);
}
