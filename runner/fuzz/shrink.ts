import type { Requirement } from '../catalog/requirements.ts';
import { confirmOne } from '../execute/confirm.ts';
import { deliveryOf, suspectOf } from '../execute/send-case.ts';
import { deliver, type Sender } from '../execute/sender.ts';
import type { JudgeContext } from '../judge/check-response.ts';
import { appliesTo, judgeRequirement } from '../judge/judge-requirement.ts';
import type { ExpectedResponse } from '../plan/expected-responses.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import {
  answerOf,
  type Exchange,
  isExpectedResponse,
  type Shrunk,
  succeeded,
} from '../transport/exchange.ts';
import type { GeneratedCase } from './generate.ts';
import type { GeneratedForm } from './generators.ts';
import { fc } from './values.ts';

/** How much is sent to find smaller forms: requests for one case, and cases of one run. */
export const mostTries = 60;
export const mostShrunk = 8;

/** What a search for smaller forms needs. */
export interface ShrinkParts {
  /** The cases of a phase, all of which were sent. */
  readonly cases: readonly PlannedCase[];
  readonly sender: Sender;
  /** Requirements that are judged over all exchanges, and by each of them alone. */
  readonly pooled: readonly Requirement[];
  readonly judging: JudgeContext;
  /** Whether requests may be sent that a gateway which takes them may bill. */
  readonly mayBill: boolean;
}

/** The search for smaller forms of what broke something, over the phases and rounds of a run. */
export type Shrink = (parts: ShrinkParts) => Promise<void>;

/**
 * Makes the search of a run. Of the drawn cases that broke a requirement in the same way, the first is shrunk, in the
 * order of the plan; its smallest form then stands for it, before the one that was drawn.
 */
export function makeShrink(drawn: ReadonlyMap<string, GeneratedCase>): Shrink {
  /** Each way in which something was broken, and the case that was shrunk for it. */
  const known = new Map<string, string>();
  let shrunk = 0;
  return async (parts) => {
    const { cases, sender } = parts;
    const { record } = sender;
    for (const item of cases) {
      const own = drawn.get(item.id);
      const [first] = record.soFar().exchanges.get(item.id) ?? [];
      if (!own || !first) continue;
      const ways = waysOf(item, first, parts);
      const fresh = ways.filter((way) => !known.has(way));
      if (ways.length === 0) continue;
      const tell = (found: Shrunk): void =>
        record.ofCase(item, [{ ...first, drawn: { ...own.number, shrunk: found } }]);
      const other = known.get(ways[0] ?? '');
      const hindrance = hindranceOf(first, parts);
      if (fresh.length === 0 && other !== undefined) tell({ kind: 'like', case: other });
      else if (hindrance !== undefined) tell({ kind: 'untried', reason: hindrance });
      else if (shrunk >= mostShrunk)
        tell({ kind: 'untried', reason: `Smaller forms of ${mostShrunk} others were looked for.` });
      else if (sender.stop.stopped() === undefined) {
        for (const way of fresh) known.set(way, item.id);
        shrunk += 1;
        record.ofCase(item, await shrinkOne(own, first, new Set(fresh), parts));
      }
    }
  };
}

/** Why no smaller forms are looked for. */
function hindranceOf({ attributes: facts, result }: Exchange, { mayBill }: ShrinkParts): string | undefined {
  return !mayBill && facts.surface === 'model' && succeeded(result)
    ? 'Each try might be billed, and this run may not make such calls.'
    : undefined;
}

/** The exchanges of a case: its smallest form, and behind it the one that was drawn, where that is another. */
async function shrinkOne(
  { planned, arbitrary, seed, number }: GeneratedCase,
  first: Exchange,
  ways: ReadonlySet<string>,
  parts: ShrinkParts,
): Promise<readonly Exchange[]> {
  const { sender } = parts;
  const status = answerOf(first)?.status;
  let tried = 0;
  const broken: Exchange[] = [];
  const seen = new Set<string>();
  const holds = async (form: GeneratedForm): Promise<boolean> => {
    const text = JSON.stringify(form);
    // What was tried already is no smaller.
    if (seen.has(text) || tried >= mostTries || sender.stop.stopped() !== undefined) return true;
    seen.add(text);
    tried += 1;
    const step = formOf(planned, form);
    const delivery = deliveryOf(planned, 0, step);
    // After the first try, a form with the response of the case needs no retry.
    const known = tried > 1 && status !== undefined ? [withStatus(status)] : [];
    const sent = await deliver(sender, { ...delivery, expects: [...step.expects, ...known] });
    const suspect = suspectOf(step, sent, sender.controls);
    const isKnown = isExpectedResponse(sent.result, known);
    const exchange = suspect ? await confirmOne({ ...suspect, isKnown }, sender) : sent;
    if (!waysOf(planned, exchange, parts).some((way) => ways.has(way))) return true;
    broken.push(exchange);
    return false;
  };
  // The first that is drawn of a seed is the case itself, sent again.
  await fc.check(fc.asyncProperty(arbitrary, holds), { seed, numRuns: 1 });
  const smallest = broken.at(-1);
  if (!smallest) return [{ ...first, drawn: { ...number, shrunk: { kind: 'unsteady' } } }];
  const found = { ...number, shrunk: { kind: 'smallest', tried } as const };
  if (broken.length === 1) return [{ ...first, drawn: found }];
  return [
    { ...smallest, drawn: found },
    { ...first, id: `${planned.id}#2` },
  ];
}

/** The only step of a generated case, in a smaller form; its fault is the same, and so are its expected responses. */
function formOf({ attributes: facts, steps }: PlannedCase, form: GeneratedForm): PlannedStep {
  const expects = steps[0]?.expects ?? [];
  return { attributes: { ...facts, ...form.facts }, control: false, expects, drawing: form.drawing };
}

function withStatus(status: number): ExpectedResponse {
  const statuses = [{ members: [String(status)], negated: false }];
  return { statuses, types: undefined, codes: undefined };
}

/** Each requirement that an exchange breaks, with how: the status of the answer and what was found. */
function waysOf(item: PlannedCase, exchange: Exchange, { pooled, judging }: ShrinkParts): string[] {
  const own = item.checks.map(({ requirement }) => requirement);
  const others = pooled.filter((requirement) => appliesTo(requirement, exchange));
  return [...own, ...others].flatMap((requirement) => {
    const { outcome, findings } = judgeRequirement(requirement, [exchange], judging);
    if (outcome !== 'violates') return [];
    const kinds = [...new Set(findings.map(({ finding }) => finding.kind))];
    return [`${requirement.id} ${answerOf(exchange)?.status ?? 'none'} ${kinds.join(' ')}`];
  });
}
