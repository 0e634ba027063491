import { packageInfo } from '../../../contract/package-info.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import type { RefusalReason } from '../../proxy/admit-request.ts';
import type { CapturedExchange } from '../../proxy/capture.ts';
import { openProxy, type ProxyOptions, type RunningProxy } from '../../proxy/open-proxy.ts';
import { openStatusEndpoint, type StatusEndpoint } from '../../proxy/status-endpoint.ts';
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts';
import { makePage } from '../../reporters/terminal/page.ts';
import { failureLines } from '../../reporters/terminal/recording.ts';
import { oneLine } from '../../text/printable.ts';
import { createTrafficChecker } from '../../traffic/check-traffic.ts';
import {
  type AllowHostFlags,
  type ReachFlags,
  readAllowedHosts,
  readReach,
} from '../flags/connection-flags.ts';
import { openBaseline } from '../io/baseline-file.ts';
import { conclude } from '../io/conclude.ts';
import { trafficProfile } from '../io/target.ts';
import { log, stderrWidth, wantsColour } from '../io/terminal.ts';
import { chooseReporters } from '../io/write-reports.ts';
import { type CheckFlags, trafficDuties } from './check.ts';

/** The flags of `proxy`. */
export interface ProxyFlags extends CheckFlags, ReachFlags, AllowHostFlags {
  readonly port: number;
  readonly controlPort: number;
}

/** The most different warnings that are printed: about a gateway that gave no answer, and about refused requests. */
const mostWarnings = 20;

/** Why a refused request is not judged, as the report says it. */
const whyRefused: Readonly<Record<RefusalReason, string>> = {
  malformed: 'Refused by the proxy: malformed.',
  host: 'Refused by the proxy: host not allowed.',
  'cross-site': 'Refused by the proxy: web page of another site.',
};

/** Passes calls on and judges them until it is told to stop; then writes the reports, and gives the exit code. */
export async function proxyCommand(flags: ProxyFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const reach = readReach(flags);
  const allowHosts = readAllowedHosts(flags);
  const catalog = await loadCatalog();
  const open = openBaseline(flags, catalog.schemas);
  const profile = trafficProfile(flags, catalog);
  if (profile.baseUrl === '')
    throw new UsageError(
      'There is no gateway to pass calls on to. Use --base-url, or set baseUrl in the profile.',
    );
  const check = createTrafficChecker({ source: 'live', catalog, profile, tool: packageInfo });
  const page = makePage({
    colour: wantsColour(process.env, process.stderr.isTTY),
    verbose: flags.verbose,
    width: stderrWidth(),
  });
  const logLines = (lines: readonly string[]): void => log(lines.join('\n'), { colours: page.colour });
  const stopped = stopSignal();
  const control = await listenOr(flags.controlPort, '--control-port', (port) =>
    openStatusEndpoint(port, () => check.report()),
  );
  const warned = new Set<string>();
  const warn = (message: string): void => {
    if (warned.has(message) || warned.size >= mostWarnings) return;
    warned.add(message);
    logLines([`! ${oneLine(hideKeys(message, process.env))}`]);
  };
  const proxy = await start(
    {
      baseUrl: profile.baseUrl,
      connection: reach,
      port: flags.port,
      allowHosts,
      onExchange: (passed) => {
        const { result } = passed;
        if (result.kind === 'failure') warn(`The gateway gave no answer: ${result.failure.detail}`);
        for (const failure of check.judge(recordedOf(passed))) logLines(failureLines(page, failure));
      },
      onRefused: ({ reason, detail }) => {
        warn(`Refused a request: ${detail}`);
        check.skip(whyRefused[reason], oneLine(detail));
      },
    },
    control,
  );
  logLines([
    `Calls to ${proxy.url} go to ${profile.baseUrl}, and are judged as they pass.`,
    `The report so far: ${control.url}. Ctrl+C ends it.`,
  ]);
  try {
    await stopped;
  } finally {
    await proxy.close();
    await control.close();
  }
  const report = check.report();
  return conclude(report, reporters, flags, open && { open, known: trafficDuties(report, catalog) });
}

/** An exchange as if its client had asked the gateway: `Host` was this proxy's. */
function recordedOf({ requestUnreadable, ...passed }: CapturedExchange): RecordedExchange {
  const headers = passed.request.headers.filter(([name]) => name !== 'host');
  const request = { ...passed.request, headers };
  return requestUnreadable === undefined
    ? { ...passed, request }
    : { ...passed, request: { ...request, bodyLost: true } };
}

/** The proxy; where it can't start, the control port is given back. */
async function start(options: ProxyOptions, control: StatusEndpoint): Promise<RunningProxy> {
  try {
    return await listenOr(options.port, '--port', (port) => openProxy({ ...options, port }));
  } catch (error) {
    await control.close();
    throw error;
  }
}

async function listenOr<T>(port: number, flag: string, listen: (port: number) => Promise<T>): Promise<T> {
  try {
    return await listen(port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${port} is taken. Choose another: ${flag} N, or 0 for a free one.`);
    if (code === 'EACCES')
      throw new UsageError(`Port ${port} may not be opened by this user. Choose another: ${flag} N.`);
    throw error;
  }
}

/** Resolves when the process is told to stop. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
