/**
 * Runs the suite as a part of the Vitest tests of a gateway (`docs/library.md`). The exports of this file are public.
 */
import { afterAll, beforeAll, describe, type RunnerTestSuite, type TestContext, test } from 'vitest';
import { catalogOfPackage } from './catalog/catalog.ts';
import { toPromise } from './library.ts';
import { hasChecks } from './plan/plan.ts';
import type { StatedProfile } from './profile/profile.ts';
import type { CaseReport, Report } from './report/report.ts';
import { countJudged } from './report/summarize.ts';
import { completeOptions, type RunOptions, rejectUnknownOptions } from './run/options.ts';
import { prepare } from './run/prepare.ts';
import { runSuite } from './run/run.ts';
import { formatCaseText, formatReasons, toTestResult } from './view/test-result.ts';

/** A gateway that the option `start` started. */
export interface StartedGateway {
  /** The base URL: the part of the URLs of the gateway before `/v1`. */
  readonly baseUrl: string;
  /** Stops the gateway. Called and awaited after the last test. Default: the gateway is not stopped. */
  readonly close?: () => unknown;
}

/**
 * The options of `conformanceSuite`. `suites`, `only` and `shard` select the cases to register as tests. Options from `RunOptions` have the same defaults as
 * in `RunOptions`.
 */
export interface ConformanceSuiteOptions
  extends Pick<
    RunOptions,
    'suites' | 'only' | 'shard' | 'concurrency' | 'timeoutMs' | 'maxBillable' | 'perSecond' | 'waitMs'
  > {
  /**
   * The path of a profile, or an object with the same properties. Default: keys from environment variables, and models
   * from the model list of the gateway.
   */
  readonly profile?: string | Partial<StatedProfile>;
  /** The base URL. Default: `baseUrl` of the profile. Ignored if `start` is set. */
  readonly baseUrl?: string;
  /**
   * Starts the gateway before the first test. The `baseUrl` of the result replaces `baseUrl` of the profile. Default:
   * the gateway is already running.
   */
  readonly start?: () => Promise<StartedGateway>;
  /** The valid key. Default: `keys.valid` of the profile, or else the environment variable `GATEWAY_API_KEY`. */
  readonly key?: string;
  /** Whether the test of a case that is not applicable fails, instead of being skipped. Default: false. */
  readonly strict?: boolean;
  /** Whether a violated `should` fails the test, instead of adding an annotation. Default: false. */
  readonly strictShould?: boolean;
  /** The maximum duration of the run. Default: 600,000 (10 minutes). */
  readonly maxMs?: number;
}

/** The base URL for planning before `start` is called. Planning sends no request. */
const notStarted = 'http://not-started.invalid';

/**
 * Registers a test for each selected case that has checks. Call and await this function at the top level of a test
 * file. The suite runs once, before the first test. With Vitest 4 or later, a filtered test run sends only the
 * requests that the selected tests need. Rejects with a `UsageError` or a `DataFileError` if the profile or an option
 * is invalid.
 */
export async function conformanceSuite(options: ConformanceSuiteOptions): Promise<void> {
  const { profile, key, start, maxMs = 600_000 } = options;
  rejectUnknownOptions(options, ['profile', 'baseUrl', 'start', 'key', 'strict', 'strictShould']);
  const catalog = await catalogOfPackage();
  const open = (baseUrl: string | undefined) => toPromise(profile, catalog, { baseUrl, key });
  const complete = completeOptions({ ...options, maxMs });
  const planned = await prepare(open(start ? notStarted : options.baseUrl), complete);
  const cases = planned.plan.cases.filter(hasChecks);
  let started: StartedGateway | undefined;
  let report: Report | undefined;

  describe('model gateway conformance', () => {
    // biome-ignore lint/correctness/noEmptyPattern: Vitest 4 requires this pattern, and Vitest 3 passes no suite
    beforeAll(async ({}, suite?: RunnerTestSuite) => {
      const selected = suite ? listTestsToRun(suite) : cases.map(({ id }) => id);
      started = await start?.();
      report = await runSuite(open(started?.baseUrl ?? options.baseUrl), {
        ...complete,
        ...(selected.length < cases.length && { suites: [], only: selected }),
      });
      validateJudged(report);
    }, maxMs + 30_000);
    afterAll(() => started?.close?.());

    for (const suite of new Set(cases.map((item) => item.suite))) {
      describe(suite, () => {
        for (const { id } of cases.filter((item) => item.suite === suite)) {
          test(id, (context) => {
            const item = report?.cases.find((entry) => entry.id === id);
            if (!report || !item) throw createError(`${id} was not judged.`);
            return applyResult(item, report, options, context);
          });
        }
      });
    }
  });
}

/** Returns the names of the tests in a suite, at any depth, that Vitest does not skip. */
function listTestsToRun({ tasks }: RunnerTestSuite): string[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return listTestsToRun(task);
    return task.mode === 'skip' || task.mode === 'todo' ? [] : [task.name];
  });
}

/**
 * Throws an `Error` if no case was judged and the reason is known. The reason is then reported once, not in every
 * test.
 */
function validateJudged({ summary: { cases }, diagnosis }: Report): void {
  if (countJudged(cases) === 0 && diagnosis.length > 0)
    throw createError(diagnosis.map(({ message }) => message).join('\n'));
}

async function applyResult(
  item: CaseReport,
  report: Report,
  { strict = false, strictShould = false }: ConformanceSuiteOptions,
  context: TestContext,
): Promise<void> {
  const result = toTestResult(item.checks);
  const { kind, checks } = result;
  const text = formatCaseText(item, checks, report);
  if (kind === 'failed' || kind === 'errored') throw createError(text);
  if ((kind === 'skipped' && strict) || (kind === 'warned' && strictShould)) throw createError(text);
  if (kind === 'skipped') context.skip(formatReasons(result).join('; '));
  if (kind === 'warned' || kind === 'known') await context.annotate(text, 'warning');
}

/** Creates an error without a stack trace, which would only point to this file. */
function createError(text: string): Error {
  const error = new Error(text);
  error.stack = `Error: ${text}`;
  return error;
}
