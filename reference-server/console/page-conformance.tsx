import type { Markup } from '../../common/page/markup.tsx';
import { isUsedUp } from '../situations/situation.ts';
import type { ConsoleParts } from './api.ts';
import type { ConformanceRunner, ConformanceState } from './conformance.ts';

/**
 * Renders a button that runs the suite against the gateway, and the result of the latest run with a link to its report.
 */
export function ConformancePage({
  conformance,
  situations,
}: {
  readonly conformance: ConformanceRunner;
  readonly situations: ConsoleParts['situations'];
}): Markup {
  const state = conformance.state();
  const count = situations.list().filter((item) => !isUsedUp(item)).length;
  return (
    <div>
      <div class="card">
        <p>
          {conformance.about} Situations that are switched on during the run:
          {count === 0 ? ' none.' : ` ${count}.`}
        </p>
        <button type="button" class="primary" data-method="POST" data-api="/conformance">
          Run the suite
        </button>
      </div>
      <div id="conformance" data-live class="card" role="status">
        <Outcome state={state} />
      </div>
    </div>
  );
}

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
          {state.total > 0 && `${state.done} of ${state.total} cases`}
        </p>
      );
    case 'failed':
      return <p class="problem">{`The run failed: ${state.problem}`}</p>;
    case 'done':
      return (
        <div>
          <p class={`verdict ${state.verdict}`}>{state.title}</p>
          {state.violated.length > 0 && (
            <ul class="list">
              {state.violated.map((id) => (
                <li>
                  <code>{id}</code>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href="/console/conformance/report">Open the report</a>
          </p>
        </div>
      );
  }
}
