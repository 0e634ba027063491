import type { Markup } from '../../common/page/markup.tsx';
import { refusalReasons } from '../apply-rules.ts';
import { listFaults } from '../faults/index.ts';
import { operations } from '../gateway/operations.ts';
import { describeSituation, type Situation } from '../situations/situation.ts';
import { listVariants } from '../variants/index.ts';
import type { ConsoleParts } from './api.ts';

/** Renders the situations that are switched on, forms that switch on more situations, and the other rules. */
export function SituationsPage({ situations, rules: listRules }: ConsoleParts): Markup {
  const active = situations.list();
  const rules = listRules();
  return (
    <div>
      <section aria-labelledby="active-title" id="active" data-live>
        <h2 id="active-title">Switched on</h2>
        {active.length === 0 && <p class="quiet">No situation is switched on.</p>}
        <ul class="list">
          {active.map(({ id, situation, used }) => (
            <li class="card row" id={`situation-${id}`}>
              <strong>{describeSituation(situation)}</strong>
              <span class="quiet">{describeUse(timesOf(situation), used)}</span>
              <button type="button" data-method="DELETE" data-api={`/situations/${id}`}>
                Switch off<span class="unseen"> {describeSituation(situation)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="more-title">
        <h2 id="more-title">Switch on</h2>
        <div class="cards">
          <SituationForm title="Error">
            <ReasonSelect name="change.refuse" />
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
        <h2 id="rules-title">Rules</h2>
        {rules.length === 0 && (
          <p class="quiet">
            No rules. <code>serve --rules FILE</code> loads rules that make the gateway behave otherwise.
          </p>
        )}
        <ol class="list">
          {rules.map(({ rule, used }, index) => (
            <li class="card row" id={`rule-${index + 1}`}>
              <strong>{`Rule ${index + 1}`}</strong>
              <code>{JSON.stringify(rule)}</code>
              <span class="quiet">{describeUse(undefined, used)}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
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
        For
        <select name={times} data-number>
          <option value="1">the next request</option>
          <option value="3">the next 3 requests</option>
          <option value="10">the next 10 requests</option>
          <option value="">all requests</option>
        </select>
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
      <select name="match.operation">
        <option value="">all</option>
        {Object.keys(operations).map((id) => (
          <option>{id}</option>
        ))}
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
          <option>{reason}</option>
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

function describeUse(times: number | undefined, used: number): string {
  const of = times === undefined ? '' : ` of ${times}`;
  const noun = (times ?? used) === 1 ? 'request' : 'requests';
  return `${used.toLocaleString('en')}${of} ${noun} so far${times !== undefined && used >= times ? ': used up' : ''}`;
}
