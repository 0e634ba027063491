import type { Cause } from '../causes/causes.ts';
import { severityLabels } from '../causes/severity.ts';
import type { Example, SymptomGroup } from '../causes/symptom-groups.ts';
import { counted } from '../counted.ts';
import type { RequirementReport } from '../report.ts';
import { wordAnswer } from '../word-answer.ts';
import { countCause } from '../word-cause.ts';
import { anchors, linkTo } from './anchor.ts';
import { CaseLinks } from './case-links.tsx';
import { CurlLine, notesOf } from './exchange-view.tsx';
import type { Markup } from './markup.ts';
import { extents, ResponsePane } from './message-pane.tsx';
import { outcomeLooks } from './outcome-mark.tsx';
import { Prose } from './prose.tsx';

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
          <summary>and {counted(rest.length, 'more symptom')}</summary>
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
          <code>{wordAnswer(exchange, longestExcerpt)}</code>
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
        <summary>{counted(cases.length, 'case')}</summary>
        <CaseLinks cases={cases} />
      </details>
    </li>
  );
}

function Requirements({ items }: { readonly items: readonly RequirementReport[] }): Markup {
  const rest = items.slice(shownRequirements + 1).length > 0 ? items.slice(shownRequirements) : [];
  return (
    <div class="violated">
      <h4>Violates {counted(items.length, 'requirement')}</h4>
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
