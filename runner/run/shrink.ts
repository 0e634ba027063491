import type { Requirement } from '../catalog/requirements.ts';
import { isKeyRejected } from '../evidence/attribution.ts';
import {
  answerOf,
  type Exchange,
  isExpectedResponse,
  type ShrinkResult,
  succeeded,
} from '../exchange/exchange.ts';
import type { ExpectedResponse } from '../exchange/expected-responses.ts';
import { findRequirementsOfGenerated } from '../exchange/generation.ts';
import type { SourceContext } from '../judge/check-response.ts';
import { listViolations } from '../judge/violations.ts';
import { type GeneratedCase, numberOf } from '../plan/generated/generate.ts';
import type { GeneratedForm } from '../plan/generated/generators.ts';
import { fc } from '../plan/generated/values.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { confirmOne } from '../send/confirm.ts';
import { requestOfStep, suspectOf } from '../send/send-case.ts';
import { type RoundSender, sendRequest } from '../send/sender.ts';

/** The maximum number of requests that are tried to shrink one case. */
export const maxTries = 60;
/** The maximum number of cases that a run shrinks. */
export const maxShrunkCases = 8;

/** The cases of a completed phase, and the data for sending and judging smaller requests. */
export interface ShrinkParts {
  readonly cases: readonly PlannedCase[];
  readonly sender: RoundSender;
  /** Pooled requirements that a single exchange can violate. */
  readonly pooled: readonly Requirement[];
  readonly judging: SourceContext;
  /** Whether the search may send successful model calls, which the gateway may bill. */
  readonly mayBill: boolean;
}

/**
 * Searches for smaller requests with at least one of the same violations. Called after each phase of a round except
 * the controls.
 */
export type Shrink = (parts: ShrinkParts) => Promise<void>;

/**
 * Creates the search for smaller requests of a run. If several generated cases violate a requirement in the same way,
 * only the first of these cases in the order of the plan is shrunk. The exchange of the smallest request is recorded
 * before the original exchange.
 */
export function createShrink(generated: ReadonlyMap<string, GeneratedCase>): Shrink {
  /** The IDs of the cases that were shrunk, by the texts that `violationKeys` returned for these cases. */
  const known = new Map<string, string>();
  let shrunk = 0;
  return async (parts) => {
    const { cases, sender } = parts;
    const { record } = sender;
    for (const item of cases) {
      const own = generated.get(item.id);
      const [first] = record.soFar().exchanges.get(item.id) ?? [];
      if (!own || !first) continue;
      const keys = violationKeys(item, first, parts);
      const fresh = keys.filter((key) => !known.has(key));
      if (keys.length === 0) continue;
      const recordResult = (found: ShrinkResult): void =>
        record.setCase(item, [{ ...first, generatedRequest: { ...own.number, shrunk: found } }]);
      const other = known.get(keys[0] ?? '');
      const obstacle = reasonNotToShrink(first, parts);
      if (fresh.length === 0 && other !== undefined) recordResult({ kind: 'like', case: other });
      else if (obstacle !== undefined) recordResult({ kind: 'untried', reason: obstacle });
      else if (shrunk >= maxShrunkCases)
        recordResult({
          kind: 'untried',
          reason: `Not shrunk, since a run shrinks at most ${maxShrunkCases} cases.`,
        });
      else if (sender.stop.stopped() === undefined) {
        for (const key of fresh) known.set(key, item.id);
        shrunk += 1;
        record.setCase(item, await shrinkOne(own, first, new Set(fresh), parts));
      }
    }
  };
}

function reasonNotToShrink({ attributes, result }: Exchange, { mayBill }: ShrinkParts): string | undefined {
  return !mayBill && attributes.surface === 'model' && succeeded(result)
    ? 'Not shrunk, since each attempt may be billed, and this run allows no additional billable calls.'
    : undefined;
}

/**
 * Shrinks the request of a case. Returns the exchange of the smallest request with the same violation, followed by
 * the original exchange. Returns only the original exchange if no smaller request has the violation, or if the
 * violation does not occur again.
 */
async function shrinkOne(
  { planned, arbitrary, seed, number }: GeneratedCase,
  first: Exchange,
  keys: ReadonlySet<string>,
  parts: ShrinkParts,
): Promise<readonly Exchange[]> {
  const { sender } = parts;
  const status = answerOf(first)?.status;
  let tried = 0;
  const violating: { readonly exchange: Exchange; readonly form: GeneratedForm }[] = [];
  const seen = new Set<string>();
  const conforms = async (form: GeneratedForm): Promise<boolean> => {
    const text = JSON.stringify(form);
    if (seen.has(text) || tried >= maxTries || sender.stop.stopped() !== undefined) return true;
    seen.add(text);
    tried += 1;
    const step = stepOf(planned, form);
    const delivery = requestOfStep(planned, 0, step);
    // After the first attempt, a response with the status of the original response is not retried.
    const known = tried > 1 && status !== undefined ? [withStatus(status)] : [];
    const sent = await sendRequest(sender, { ...delivery, expects: [...step.expects, ...known] });
    const suspect = suspectOf(step, sent, sender);
    const isKnown = isExpectedResponse(sent.result, known);
    // A control showed that the valid key still works after the original response.
    const needsControl = suspect && !isKeyRejected(sent, sender.context.promise.errors);
    const exchange = needsControl ? await confirmOne({ ...suspect, isKnown }, sender) : sent;
    const isSame = violationKeys(planned, exchange, parts).some((key) => keys.has(key));
    if (!isSame || !violatesOwn(exchange, parts)) return true;
    violating.push({ exchange, form });
    return false;
  };
  // The first value with this seed is the original request, which is sent again.
  await fc.check(fc.asyncProperty(arbitrary, conforms), { seed, numRuns: 1 });
  const smallest = violating.at(-1);
  if (!smallest) return [{ ...first, generatedRequest: { ...number, shrunk: { kind: 'unsteady' } } }];
  const found = { ...numberOf(smallest.form, number), shrunk: { kind: 'smallest', tried } as const };
  if (violating.length === 1) return [{ ...first, generatedRequest: found }];
  return [
    { ...smallest.exchange, generatedRequest: found },
    { ...first, id: `${planned.id}#2` },
  ];
}

function stepOf({ attributes, steps }: PlannedCase, form: GeneratedForm): PlannedStep {
  const expects = steps[0]?.expects ?? [];
  return {
    attributes: { ...attributes, ...form.attributes },
    control: false,
    expects,
    generated: form.generated,
  };
}

/**
 * Whether a response violates a `must` that applies to its own request. A smaller form of a combination has other
 * attributes than the original case, so a response that is wrong for the case may be right for the form.
 */
function violatesOwn(exchange: Exchange, { pooled, judging }: ShrinkParts): boolean {
  const { requirements } = judging.promise;
  const own = findRequirementsOfGenerated(exchange.attributes, requirements);
  return listViolations([...own, ...pooled], exchange, judging).length > 0;
}

function withStatus(status: number): ExpectedResponse {
  const statuses = [{ members: [String(status)], negated: false }];
  return { statuses, types: undefined, codes: undefined };
}

/** Returns one text for each violated `must`, with the status and the kinds of findings. */
function violationKeys(item: PlannedCase, exchange: Exchange, { pooled, judging }: ShrinkParts): string[] {
  const own = item.checks.map(({ requirement }) => requirement);
  return listViolations([...own, ...pooled], exchange, judging).map(({ requirement, findings }) => {
    const kinds = [...new Set(findings.map(({ kind }) => kind))];
    return `${requirement} ${answerOf(exchange)?.status ?? 'none'} ${kinds.join(' ')}`;
  });
}
