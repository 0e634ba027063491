import { billingCodes, errorTypes } from '../../common/specification.ts';
import type { Markup } from '../../runner/reporters/html/elements.tsx';
import { faults } from '../faults/index.ts';
import { operations } from '../gateway/operations.ts';
import type { Situation } from '../situations/situation.ts';
import { variants } from '../variants/index.ts';
import type { ConsoleParts } from './api.ts';

/** Renders the situations that are switched on, forms that switch on more situations, and the rules of the script. */
export function SituationsPage({ situations, script }: ConsoleParts): Markup {
  const active = situations.list();
  const rules = script.rules();
  return (
    <div>
      <section aria-labelledby="active-title" id="active" data-live>
        <h2 id="active-title">Switched on</h2>
        {active.length === 0 && <p class="quiet">No situation is switched on.</p>}
        <ul class="list">
          {active.map(({ id, situation, used }) => (
            <li class="card row">
              <strong>{describeSituation(situation)}</strong>
              <span class="quiet">{describeUse(situation.times, used)}</span>
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
            <label>
              Type or code
              <select name="error">
                <optgroup label="Model endpoints (7.1)">
                  {Object.values(errorTypes).map((type) => (
                    <option>{type}</option>
                  ))}
                </optgroup>
                <optgroup label="Billing-type endpoints (7.2)">
                  {Object.values(billingCodes).map((code) => (
                    <option>{code}</option>
                  ))}
                </optgroup>
              </select>
            </label>
            <OperationSelect />
          </SituationForm>
          <SituationForm title="Latency">
            <label>
              Delay before each response
              <input
                name="latency"
                value="2s"
                pattern="\d+(\.\d+)?(ms|s|m)"
                title="Such as 500ms or 2s"
                required
              />
            </label>
            <OperationSelect />
          </SituationForm>
          <SituationForm title="Broken stream">
            <label>
              Chunks before the connection closes
              <input name="breakStream" type="number" min={0} max={1000} value="3" required />
            </label>
          </SituationForm>
          <SituationForm title="Error inside a stream">
            <label>
              Type
              <select name="streamError">
                {Object.values(errorTypes).map((type) => (
                  <option>{type}</option>
                ))}
              </select>
            </label>
            <label>
              Chunks before the error
              <input name="afterChunks" type="number" min={0} max={1000} value="2" required />
            </label>
          </SituationForm>
          <SituationForm title="Seeded fault">
            <label>
              Fault
              <input name="fault" list="faults" required autoComplete="off" />
            </label>
            <datalist id="faults">
              {faults.map(({ id, about }) => (
                <option value={id}>{about}</option>
              ))}
            </datalist>
          </SituationForm>
          <SituationForm title="Conforming variant">
            <label>
              Variant
              <input name="variant" list="variants" required autoComplete="off" />
            </label>
            <datalist id="variants">
              {variants.map(({ id, about }) => (
                <option value={id}>{about}</option>
              ))}
            </datalist>
          </SituationForm>
        </div>
      </section>
      <section aria-labelledby="script-title" id="script" data-live>
        <h2 id="script-title">Script</h2>
        {rules.length === 0 && (
          <p class="quiet">
            No rules. <code>serve --script FILE</code> loads rules that answer requests instead of the
            gateway.
          </p>
        )}
        <ol class="list">
          {rules.map(({ rule, used }) => (
            <li class="card row">
              <code>{JSON.stringify(rule)}</code>
              <span class="quiet">{describeUse(undefined, used)}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function SituationForm({
  title,
  children,
}: {
  readonly title: string;
  readonly children: Markup | readonly Markup[];
}): Markup {
  return (
    <form class="card" data-method="POST" data-api="/situations">
      <h3>{title}</h3>
      {children}
      <label>
        For
        <select name="times" data-number>
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
      <select name="operation">
        <option value="">all</option>
        {Object.keys(operations).map((id) => (
          <option>{id}</option>
        ))}
      </select>
    </label>
  );
}

function describeSituation(situation: Situation): string {
  const where = 'operation' in situation && situation.operation ? ` on ${situation.operation}` : '';
  if ('error' in situation) return `Error ${situation.error}${where}`;
  if ('latency' in situation) return `Latency ${situation.latency}${where}`;
  if ('breakStream' in situation) return `Streams break after chunk ${situation.breakStream}${where}`;
  if ('streamError' in situation) return `Error ${situation.streamError} inside streams${where}`;
  return 'fault' in situation ? `Fault ${situation.fault}` : `Variant ${situation.variant}`;
}

function describeUse(times: number | undefined, used: number): string {
  const of = times === undefined ? '' : ` of ${times}`;
  const noun = (times ?? used) === 1 ? 'request' : 'requests';
  return `${used.toLocaleString('en')}${of} ${noun} so far${times !== undefined && used >= times ? ': used up' : ''}`;
}
