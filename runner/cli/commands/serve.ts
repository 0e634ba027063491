import { type DataFile, parseDataFile, readDataFile } from '../../../common/data-file.ts';
import { isLoopback, normalizeHost } from '../../../common/host.ts';
import { formatSuggestion } from '../../../common/nearest.ts';
import { loadSchemas } from '../../../common/schemas.ts';
import { validateData } from '../../../common/validate-data.ts';
import { combineSetups } from '../../../reference-server/combine-setups.ts';
import { listFaults } from '../../../reference-server/faults/index.ts';
import { readRules as validateRules } from '../../../reference-server/read-rules.ts';
import type { Rule } from '../../../reference-server/rules/rule.ts';
import { serveReference } from '../../../reference-server/serve-reference.ts';
import { listVariants } from '../../../reference-server/variants/index.ts';
import { UsageError } from '../../profile/profile.ts';
import { createHostTest, formatHostRefusal } from '../../traffic/proxy/admit-request.ts';
import type { FlagsOf } from '../command-table.ts';
import { listenOn, readAllowedHosts } from '../flags/listen-flags.ts';
import { log } from '../io/terminal.ts';
import { consoleSuite } from './console-suite.ts';

/**
 * Runs the reference gateway until SIGINT, SIGTERM or SIGHUP. Rejects with a `UsageError` or a `DataFileError` if a flag or a
 * file is invalid. Rejects with a `UsageError` if the port is in use, the user has no permission to open the port, or
 * this machine does not have the address of `--host`.
 */
export async function serveCommand(flags: FlagsOf<'serve'>): Promise<undefined> {
  const { host, port, throttle, latency: latencyMs, breakStream } = flags;
  const [inline, ids] = [flags.fault.filter(isRule), flags.fault.filter((text) => !isRule(text))];
  const chosen = [
    ...ids.map((id) => findById('fault', id, listFaults())),
    ...flags.variant.map((id) => findById('variant', id, listVariants())),
  ];
  const isAllowed = createHostTest(readAllowedHosts(flags.allowHost), host);
  const refusesHost = (name: string | undefined): string | undefined =>
    name === undefined || isAllowed(name) ? undefined : formatHostRefusal(name);
  const rules = [
    ...(await Promise.all(inline.map((text) => readRules(parseDataFile('--fault', `[${text}]`))))),
    ...(flags.rules === undefined ? [] : [await readRules(readDataFile(flags.rules))]),
  ].flat();
  for (const { id, about } of chosen) log(`${id}: ${about}`);
  const setup = combineSetups(chosen.map((item) => item.setup()));
  const consolePassword = process.env.CONSOLE_PASSWORD || undefined;
  const isSafe = consolePassword !== undefined || isLoopback(host) || isLoopback(normalizeHost(host) ?? '');
  const console = flags.console && isSafe;
  if (flags.console && !isSafe)
    log(
      'The console is not served, since other machines can reach the address of --host and CONSOLE_PASSWORD is unset or empty. Set CONSOLE_PASSWORD to a password, or use --no-console.',
    );
  const changes = { throttle, latencyMs, breakStream, rules };
  await listenOn(port, '--port', () =>
    serveReference({
      ...{ host, port, setup, refusesHost, console, suite: consoleSuite },
      ...changes,
      ...(flags.state !== undefined && { stateFile: flags.state }),
      ...(consolePassword !== undefined && { consolePassword }),
    }),
  );
}

/** Whether the value of `--fault` is a rule, not an ID. */
const isRule = (text: string): boolean => text.trimStart().startsWith('{');

async function readRules(file: DataFile): Promise<readonly Rule[]> {
  validateData(file, file.value, 'rules', await loadSchemas());
  return validateRules(file.value, file.error);
}

function findById<T extends { readonly id: string }>(what: string, id: string, known: readonly T[]): T {
  const found = known.find((item) => item.id === id);
  if (found) return found;
  const hint =
    formatSuggestion(
      id,
      known.map((item) => item.id),
    ) || ` Run \`conformance list ${what}s\` to see all ${what}s.`;
  throw new UsageError(`Unknown ${what} "${id}".${hint}`);
}
