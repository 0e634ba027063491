import { packageInfo } from '../../../common/package-info.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { formatBreachLines, formatFailureLines } from '../../reporters/terminal/recording.ts';
import { createTrafficChecker } from '../../traffic/check-traffic.ts';
import { type ClientBreach, createClientFilter, otherClientReason } from '../../traffic/client-duties.ts';
import { createExchangeLog } from '../../traffic/live/exchange-log.ts';
import { openStatusEndpoint, type StatusEndpoint } from '../../traffic/live/status-endpoint.ts';
import type { RefusalReason } from '../../traffic/proxy/admit-request.ts';
import { type CapturedExchange, toRecorded } from '../../traffic/proxy/capture.ts';
import { openProxy, type ProxyOptions, type RunningProxy } from '../../traffic/proxy/open-proxy.ts';
import type { FlagsOf } from '../command-table.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import { listenOn, readAllowedHosts } from '../flags/listen-flags.ts';
import type { Judged } from '../io/conclude.ts';
import { createLogPage } from '../io/log-page.ts';
import { readTrafficTarget } from '../io/target.ts';
import { onEndingSignal } from '../io/terminal.ts';
import { listTrafficChecks } from './check.ts';
import { reportOn } from './report-command.ts';

const [mostWarnings, mostBreaches] = [20, 50];

const refusalReasons: Readonly<Record<RefusalReason, string>> = {
  malformed: 'Refused by the proxy: malformed request.',
  host: 'Refused by the proxy: host not allowed.',
  'cross-site': 'Refused by the proxy: request from a web page of another site.',
};

/**
 * Forwards and judges traffic until a signal arrives. Then writes the reports and returns the exit code. Rejects in the
 * same cases as `reportOn`, and with a `UsageError` if a port is in use or the user has no permission to open the port.
 */
export async function proxyCommand(flags: FlagsOf<'proxy'>): Promise<number> {
  const connection = readConnectionOptions(flags);
  const allowHosts = readAllowedHosts(flags.allowHost);
  return reportOn(flags, {
    open: (catalog) => readTrafficTarget(flags, catalog),
    judge: ({ promise }) => forward(promise, { flags, connection, allowHosts }),
  });
}

async function forward(
  promise: GatewayPromise,
  {
    flags,
    connection,
    allowHosts,
  }: Pick<ProxyOptions, 'connection' | 'allowHosts'> & { readonly flags: FlagsOf<'proxy'> },
): Promise<Judged> {
  const { profile, requirements } = promise;
  if (profile.baseUrl === '')
    throw new UsageError('The base URL is missing. Give it as an argument, or set baseUrl in the profile.');
  const check = createTrafficChecker({ source: 'live', promise, tool: packageInfo });
  const { page, logLines } = createLogPage(flags.verbose);
  const exchanges = createExchangeLog(requirements, promise.clientDuties);
  const stopped = waitForStopSignal();
  const control = await listenOn(flags.controlPort, '--control-port', (port) =>
    openStatusEndpoint(port, {
      gateway: profile.baseUrl,
      log: exchanges,
      report: () => check.report(),
      says: new Map(requirements.map(({ id, says }) => [id, says])),
    }),
  );
  const warned = new Set<string>();
  const warn = (message: string): void => {
    if (warned.has(message) || warned.size >= mostWarnings) return;
    warned.add(message);
    logLines([`! ${formatOneLine(hideKeys(message, process.env))}`]);
  };
  const isChosen = createClientFilter(flags.client);
  const printed = new Set<string>();
  const printBreach = ({ duty, describe }: ClientBreach): void => {
    if (duty.level === 'observe' || printed.size >= mostBreaches) return;
    const finding = describe();
    const id = `${duty.id} ${finding.client}`;
    if (printed.has(id)) return;
    printed.add(id);
    logLines(formatBreachLines(page, { duty, finding }));
  };
  const proxy = await startProxy(
    {
      baseUrl: profile.baseUrl,
      connection,
      port: flags.port,
      allowHosts,
      onExchange: (passed) => {
        const missing = describeMissing(passed);
        if (missing !== undefined) warn(missing);
        const recorded = toRecorded(passed);
        if (!isChosen(recorded)) return check.skip(otherClientReason, passed.id);
        const judged = check.judge(recorded);
        exchanges.add(passed, judged);
        for (const failure of judged.failures) logLines(formatFailureLines(page, failure));
        for (const breach of judged.breaches) printBreach(breach);
      },
      onRefused: (refusal) => {
        warn(`Refused a request: ${refusal.detail}`);
        check.skip(refusalReasons[refusal.reason], formatOneLine(refusal.detail));
        exchanges.refuse(refusal);
      },
    },
    control,
  );
  logLines([
    `Forwarding ${proxy.url} to ${profile.baseUrl}. Violations are printed here.`,
    `Live page and report so far: ${control.url}. Press Ctrl+C to stop the proxy and write the reports.`,
  ]);
  try {
    await stopped;
  } finally {
    await proxy.close();
    await control.close();
  }
  const report = check.report();
  return { report, known: () => listTrafficChecks(report, promise) };
}

/** Returns a message about a missing response; undefined if the gateway responded or the proxy ended the exchange. */
function describeMissing({ result, ended, request: { method, url } }: CapturedExchange): string | undefined {
  if (result.kind === 'answer') return undefined;
  if (ended === 'cut-by-client')
    return `The client closed the connection before the gateway responded: ${method} ${url.split('?', 1)[0]}`;
  return ended === 'cut-by-proxy' ? undefined : `No response from the gateway: ${result.failure.detail}`;
}

/** Opens the proxy. If the proxy cannot be opened, closes the control port and rethrows the error. */
async function startProxy(options: ProxyOptions, control: StatusEndpoint): Promise<RunningProxy> {
  try {
    return await listenOn(options.port, '--port', (port) => openProxy({ ...options, port }));
  } catch (error) {
    await control.close();
    throw error;
  }
}

/** Resolves at the first signal. The listeners stay, so that a repeated signal does not end the process without a report. */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onEndingSignal(resolve);
  });
}
