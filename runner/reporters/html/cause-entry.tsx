import type { Outcome } from '../../judge/outcome.ts';
import type { Cause } from '../../report/causes/causes.ts';
import { severityLabels } from '../../report/causes/severity.ts';
import type { Example, SymptomGroup } from '../../report/causes/symptom-groups.ts';
import { countCause } from '../../report/format-counts.ts';
import { formatAnswer } from '../../report/format-value.ts';
import type { RequirementReport } from '../../report/report.ts';
import { pluralize } from '../../text/lists.ts';
import { anchors, linkTo, type Markup, outcomeLooks, Prose } from './elements.tsx';
import { CurlLine, notesOf } from './exchange-view.tsx';
import { extents, ResponsePane } from './message-pane.tsx';

/** How many requirements and symptoms are shown before the rest is folded. */
const shownRequirements = 4;
const shownSymptoms = 2;
const longestExcerpt = 240;

/** A cause: what goes wrong and where to begin, an example of it, and what it violates. */
export function CauseEntry({ cause }: { readonly cause: Cause }): Markup {
  const { outcome, severity, title, lookAt, requirements, symptoms, example } = cause;
  const { sign, word } = outcomeLooks[outcome];
  const rest = symptoms.slice(shownSymptoms);
  return (
    <li class={outcome}>
      <p class="cause-head">
        <span class={`mark ${outcome}`}>
          <span aria-hidden="true">{sign}</span>
          <span class="unseen">{word}: </span> {severityLabels[severity]}
        </span>
        <span class="clause">{countCause(cause)}</span>
      </p>
      <h3>
        <Prose text={title} />
      </h3>
      <p class="says">
        Look first at <Prose text={lookAt} />.
      </p>
      {example && <ExampleView example={example} />}
      <ul class="found">
        {symptoms.slice(0, shownSymptoms).map((symptom) => (
          <Symptom symptom={symptom} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details class="more">
          <summary>and {pluralize(rest.length, 'more symptom')}</summary>
          <ul class="found">
            {rest.map((symptom) => (
              <Symptom symptom={symptom} />
            ))}
          </ul>
        </details>
      )}
      <Requirements items={requirements} />
    </li>
  );
}

/** What was expected and received in one case; the response and the line that repeats the request unfold. */
export function ExampleView({ example }: { readonly example: Example }): Markup {
  const { exchange, requirement, findings } = example;
  return (
    <>
      <dl class="example">
        <dt>Expected</dt>
        <dd>
          <Prose text={requirement.expects} />
        </dd>
        <dt>Received</dt>
        <dd>
          <code>{formatAnswer(exchange, longestExcerpt)}</code>
        </dd>
      </dl>
      <details class="more">
        <summary>The response, and a request to repeat</summary>
        <ResponsePane exchange={exchange} notes={notesOf(findings)} extent={extents.beside} />
        <CurlLine line={exchange.curl} />
      </details>
    </>
  );
}

function Symptom({ symptom }: { readonly symptom: SymptomGroup }): Markup {
  const { message, seen, requirements, cases } = symptom;
  return (
    <li>
      <p>{requirements.length > 1 ? seen : message}</p>
      <details class="more">
        <summary>{pluralize(cases.length, 'case')}</summary>
        <CaseLinks cases={cases} />
      </details>
    </li>
  );
}

function Requirements({ items }: { readonly items: readonly RequirementReport[] }): Markup {
  const rest = items.slice(shownRequirements + 1).length > 0 ? items.slice(shownRequirements) : [];
  return (
    <div class="violated">
      <h4>Violates {pluralize(items.length, 'requirement')}</h4>
      <RequirementLinks items={items.slice(0, items.length - rest.length)} />
      {rest.length > 0 && (
        <details class="more">
          <summary>and {rest.length} more requirements</summary>
          <RequirementLinks items={rest} />
        </details>
      )}
    </div>
  );
}

function RequirementLinks({ items }: { readonly items: readonly RequirementReport[] }): Markup {
  return (
    <ul class="links">
      {items.map(({ id, clause, says }) => (
        <li>
          <a href={linkTo(anchors.requirement(id))}>{id}</a> <Prose text={says} />{' '}
          <span class="clause">{clause}</span>
        </li>
      ))}
    </ul>
  );
}

/** The most cases that are named before the rest is folded. */
const shownCases = 4;

/** Links to cases; a long list is folded behind its beginning. */
export function CaseLinks({
  cases,
  outcomeOf,
}: {
  readonly cases: readonly string[];
  readonly outcomeOf?: ReadonlyMap<string, Outcome>;
}): Markup {
  const rest = cases.slice(shownCases + 1).length > 0 ? cases.slice(shownCases) : [];
  return (
    <>
      <Links cases={cases.slice(0, cases.length - rest.length)} outcomeOf={outcomeOf} />
      {rest.length > 0 && (
        <details class="more">
          <summary>and {rest.length} more cases</summary>
          <Links cases={rest} outcomeOf={outcomeOf} />
        </details>
      )}
    </>
  );
}

function Links({
  cases,
  outcomeOf,
}: {
  readonly cases: readonly string[];
  readonly outcomeOf: ReadonlyMap<string, Outcome> | undefined;
}): Markup {
  return (
    <ul class="links">
      {cases.map((id) => {
        const outcome = outcomeOf?.get(id);
        return (
          <li>
            {outcome && (
              <span class={`sign ${outcome}`} role="img" aria-label={outcomeLooks[outcome].word}>
                {outcomeLooks[outcome].sign}
              </span>
            )}
            <a href={linkTo(anchors.case(id))}>{id}</a>
          </li>
        );
      })}
    </ul>
  );
}
