import { linkTo, type Markup } from '../../common/page/markup.tsx';
import { describeSituation } from '../situations/describe-situation.ts';
import { isUsedUp } from '../situations/situation.ts';
import type { ConsoleParts } from './api.ts';
import type { ConformanceRunner, ConformanceState } from './conformance.ts';

/**
 * Renders a button that runs the suite against a copy of the gateway, and the result of the latest run with links into its
 * report.
 */
export function ConformancePage({
  conformance,
  ...parts
}: { readonly conformance: ConformanceRunner } & Pick<
  ConsoleParts,
  'situations' | 'started' | 'rules'
>): Markup {
  const state = conformance.state();
  const active = listActive(parts);
  return (
    <div>
      <div class="card" id="run" data-live>
        <p>{conformance.about} Your requests, balances and situations stay as they are.</p>
        {active.length === 0 ? (
          <p>Switched on: nothing.</p>
        ) : (
          <>
            <p>Switched on, also in the copy:</p>
            <ul class="dotted">
              {active.map((title) => (
                <li>{title}</li>
              ))}
            </ul>
          </>
        )}
        {/* A button that is disabled loses the focus. */}
        <button
          type="button"
          class="primary"
          data-method="POST"
          data-api="/conformance"
          aria-disabled={state.state === 'running'}
        >
          Run the suite
        </button>
      </div>
      <div id="conformance" data-live class="card" role="status">
        <Outcome state={state} />
      </div>
    </div>
  );
}

/** Lists what makes the gateway behave otherwise: what its start set, and the situations. */
function listActive({
  situations,
  started,
  rules,
}: Pick<ConsoleParts, 'situations' | 'started' | 'rules'>): readonly string[] {
  return [
    ...started.map(({ kind, id }) => (kind === 'fault' ? `Fault ${id}` : `Variant ${id}`)),
    ...rules().map(({ rule }, index) => `Rule ${index + 1}: ${describeSituation(rule)}`),
    ...situations
      .list()
      .filter((item) => !isUsedUp(item))
      .map(({ situation }) => `Situation: ${describeSituation(situation)}`),
  ];
}

const report = '/console/conformance/report';

function Outcome({ state }: { readonly state: ConformanceState }): Markup {
  switch (state.state) {
    case 'none':
      return <p class="quiet">The suite has not run since the gateway started.</p>;
    case 'running':
      return (
        <p>
          <label>
            Running <progress max={state.total || 1} value={state.done} />
          </label>{' '}
          {state.total > 0
            ? `${state.done.toLocaleString('en')} of ${state.total.toLocaleString('en')} cases`
            : 'Planning the cases …'}
        </p>
      );
    case 'failed':
      return <p class="problem">{`The run failed: ${state.problem}`}</p>;
    case 'done':
      return (
        <div>
          <p class={`verdict ${state.verdict}`}>{state.title}</p>
          <p>{`${state.violated.length} of ${state.requirements} requirements failed.`}</p>
          {state.violated.length > 0 && (
            <ul class="failed">
              {state.violated.map((id) => (
                <li>
                  <a href={report + linkTo(`requirement/${id}`)}>
                    <code>{id}</code>
                  </a>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href={report}>Open the report</a>
          </p>
        </div>
      );
  }
}
