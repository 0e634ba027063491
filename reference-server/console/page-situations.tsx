import { type Markup, Prose } from '../../common/page/markup.tsx';
import { refusalReasons } from '../apply-rules.ts';
import { listFaults } from '../faults/index.ts';
import { operations } from '../gateway/operations.ts';
import type { Change } from '../rules/rule.ts';
import { commonRefusals, describeSituation, modelCalls } from '../situations/describe-situation.ts';
import { type ActiveSituation, isUsedUp, type Situation } from '../situations/situation.ts';
import { listVariants } from '../variants/index.ts';
import type { ConsoleParts } from './api.ts';

/** Renders the situations that are switched on, forms that switch on more, and what the start of the gateway set. */
export function SituationsPage({ situations, started, rules: listRules }: ConsoleParts): Markup {
  const all = situations.list();
  const [active, usedUp] = [all.filter((item) => !isUsedUp(item)), all.filter(isUsedUp)];
  const rules = listRules();
  return (
    <div>
      <section aria-labelledby="active-title" id="active" data-live>
        <h2 id="active-title">Switched on</h2>
        {active.length === 0 && <p class="quiet">No situation is switched on.</p>}
        <SituationList items={active} action="Switch off" />
        {usedUp.length > 0 && (
          <>
            <h3>Used up</h3>
            <SituationList items={usedUp} action="Remove" />
          </>
        )}
      </section>
      <section aria-labelledby="more-title">
        <h2 id="more-title">Switch on</h2>
        <div class="cards">
          <SituationForm title="Error">
            <ErrorSelect />
            <label>
              <span>
                <code>Retry-After</code> in seconds
              </span>
              <input
                name="change.headers.retry-after"
                type="number"
                min={0}
                max={86_400}
                placeholder="none; 1 for 429"
              />
            </label>
            <OperationSelect />
          </SituationForm>
          <SituationForm title="Time-out">
            <label>
              Seconds without a response
              <input name="change.after" type="number" min={1} max={3600} value="30" data-unit="s" required />
            </label>
            <label>
              Then
              <select name="change.close">
                <option value="before-headers">the connection closes</option>
                <option value="">the response follows</option>
              </select>
            </label>
            <OperationSelect />
          </SituationForm>
          <SituationForm title="Latency">
            <label>
              Delay before each response
              <input
                name="change.after"
                value="2s"
                pattern="\d+(\.\d+)?(ms|s|m)"
                title="Such as 500ms or 2s"
                required
              />
            </label>
            <OperationSelect />
          </SituationForm>
          <SituationForm title="Broken stream">
            <OnlyStreams />
            <label>
              Chunks before the connection closes
              <input name="change.cut" type="number" min={0} max={1000} value="3" required />
            </label>
          </SituationForm>
          <SituationForm title="Error inside a stream">
            <OnlyStreams />
            <ReasonSelect name="change.error.reason" />
            <label>
              Chunks before the error
              <input name="change.error.after" type="number" min={0} max={1000} value="2" required />
            </label>
          </SituationForm>
          <SituationForm title="Seeded fault" times="times">
            <label>
              Fault
              <input name="fault" list="faults" required autoComplete="off" />
            </label>
            <datalist id="faults">
              {listFaults().map(({ id, about }) => (
                <option value={id}>{about}</option>
              ))}
            </datalist>
          </SituationForm>
          <SituationForm title="Conforming variant" times="times">
            <label>
              Variant
              <input name="variant" list="variants" required autoComplete="off" />
            </label>
            <datalist id="variants">
              {listVariants().map(({ id, about }) => (
                <option value={id}>{about}</option>
              ))}
            </datalist>
          </SituationForm>
        </div>
      </section>
      <section aria-labelledby="rules-title" id="rules" data-live>
        <h2 id="rules-title">Set at the start</h2>
        <p class="quiet">
          {started.length + rules.length === 0 ? 'Nothing.' : 'This cannot be changed here.'} Set by{' '}
          <code>serve</code> with <code>--fault</code>, <code>--variant</code>, <code>--throttle</code>,{' '}
          <code>--latency</code>, <code>--break-stream</code> and <code>--rules</code>, or by code.
        </p>
        <ul class="list">
          {started.map(({ kind, id, about }) => (
            <li class="card item">
              <strong>{kind === 'fault' ? `Fault ${id}` : `Variant ${id}`}</strong>
              <span class="quiet about">
                <Prose text={about} />
              </span>
            </li>
          ))}
          {rules.map(({ rule, used }, index) => (
            <li class="card item" id={`rule-${index + 1}`}>
              <strong>{`Rule ${index + 1}: ${describeSituation(rule)}`}</strong>
              <span class="quiet">{describeUse(used, rule.match?.by ? undefined : timesOf(rule))}</span>
              <code class="about">{JSON.stringify(rule)}</code>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function SituationList({
  items,
  action,
}: {
  readonly items: readonly ActiveSituation[];
  readonly action: string;
}): Markup {
  return (
    <ul class="list">
      {items.map(({ id, situation, used }) => (
        <li class="card item" id={`situation-${id}`}>
          <strong>{describeSituation(situation)}</strong>
          <span class="quiet">{describeUse(used, timesOf(situation))}</span>
          <button type="button" data-method="DELETE" data-api={`/situations/${id}`}>
            {action}
            <span class="unseen"> {describeSituation(situation)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** `times` is the name of the field for the number of requests. */
function SituationForm({
  title,
  times = 'match.times',
  children,
}: {
  readonly title: string;
  readonly times?: string;
  readonly children: Markup | readonly Markup[];
}): Markup {
  return (
    <form class="card" data-method="POST" data-api="/situations">
      <h3>{title}</h3>
      {children}
      <label>
        Requests (empty: all)
        <input name={times} type="number" min={1} max={1_000_000} value="1" placeholder="all" />
      </label>
      <button type="submit">
        Switch on<span class="unseen">: {title}</span>
      </button>
    </form>
  );
}

function OperationSelect(): Markup {
  return (
    <label>
      Operation
      <select name="match.operation" data-json>
        <option value={JSON.stringify(modelCalls)}>all model calls</option>
        <option value="">all operations</option>
        {Object.keys(operations).map((id) => (
          <option value={JSON.stringify(id)}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** The errors that clients have to expect. 503 is no error of the specification, but one of proxies before a gateway. */
const commonErrors: readonly Change[] = Object.keys(commonRefusals).flatMap((refuse) =>
  refuse === 'internal'
    ? [{ refuse }, { refuse, status: 503, message: 'The gateway is temporarily unavailable.' }]
    : [{ refuse }],
);

function ErrorSelect(): Markup {
  return (
    <label>
      Response
      <select name="change" data-json>
        {commonErrors.map(({ message, ...change }) => (
          <option value={JSON.stringify({ ...change, message })}>{describeSituation({ change })}</option>
        ))}
        <optgroup label="Other reasons of refusal">
          {refusalReasons
            .filter((reason) => !(reason in commonRefusals))
            .map((reason) => (
              <option value={JSON.stringify({ refuse: reason })}>{reason}</option>
            ))}
        </optgroup>
      </select>
    </label>
  );
}

function ReasonSelect({ name }: { readonly name: string }): Markup {
  return (
    <label>
      Reason
      <select name={name}>
        {refusalReasons.map((reason) => (
          <option value={reason} selected={reason === 'internal'}>
            {commonRefusals[reason] ?? reason}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The conditions of a rule for streams that the gateway serves. */
function OnlyStreams(): Markup {
  return (
    <>
      <input type="hidden" name="match.streamed" value="true" data-json />
      <input type="hidden" name="match.refused" value="false" data-json />
    </>
  );
}

const timesOf = (situation: Situation): number | undefined =>
  'change' in situation ? situation.match?.times : situation.times;

function describeUse(used: number, times?: number): string {
  const of = times === undefined ? '' : ` of ${times.toLocaleString('en')}`;
  const noun = (times ?? used) === 1 ? 'request' : 'requests';
  return `${used.toLocaleString('en')}${of} ${noun}${used === times ? '' : ' so far'}`;
}
