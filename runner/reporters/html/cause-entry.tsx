import { pluralize } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import type { Outcome } from '../../judge/outcome.ts';
import type { Report, RequirementReport } from '../../report/report.ts';
import { type Cause, formatAccepted } from '../../view/causes.ts';
import { clausesOfAll, promised } from '../../view/clauses.ts';
import { formatWhere, listContrasts } from '../../view/counts.ts';
import { formatAnswer } from '../../view/format-answer.ts';
import { outcomeLooks, outcomeVerbs } from '../../view/signs.ts';
import { type Example, isInTitle, type SymptomGroup } from '../../view/symptom-groups.ts';
import { formatIssue } from '../markdown-cause.ts';
import { anchors, ClauseList, Folded } from './elements.tsx';
import { CurlLine, notesOf } from './exchange-view.tsx';
import { extents, ResponsePane } from './message-pane.tsx';

const shownRequirements = 4;
const shownSymptoms = 4;
const shownQuotes = 2;
const longestExcerpt = 240;

/** Renders a link to a cause, with its severity and the number of its cases or requests. */
export function CauseLink({ cause }: { readonly cause: Cause }): Markup {
  const { id, outcome, label, title, cases, requests, isPooled } = cause;
  const { sign, word } = outcomeLooks[outcome];
  return (
    <li>
      <a href={linkTo(anchors.cause(id))} class={outcome}>
        <span class="sign" role="img" aria-label={word}>
          {sign}
        </span>
        <span class="cause-title">
          <Prose text={title} />
        </span>
        <span class="cause-count">
          {label} · {isPooled ? pluralize(requests.length, 'request') : pluralize(cases.length, 'case')}
        </span>
      </a>
    </li>
  );
}

/**
 * Renders a cause: the title, the place to check first, the clauses, an example, the symptoms, and the violated
 * requirements.
 */
export function CauseEntry({ cause, report }: { readonly cause: Cause; readonly report: Report }): Markup {
  const { id, outcome, label, title, lookAt, requirements, symptoms, example } = cause;
  const { sign, word } = outcomeLooks[outcome];
  const accepted = formatAccepted(cause);
  const anchor = anchors.cause(id);
  return (
    <article class={`cause ${outcome}`} id={anchor} aria-labelledby={`${anchor}/title`}>
      <p class="cause-head">
        <span class={`mark ${outcome}`}>
          <span aria-hidden="true">{sign}</span>
          <span class="unseen">{word}: </span> {label}
        </span>
        <a class="to-list" href={linkTo(anchors.causes)}>
          ↑ All causes
        </a>
        <button type="button" class="copy-issue" data-text={formatIssue(cause, report)} hidden>
          Copy for an issue
        </button>
      </p>
      <h3 id={`${anchor}/title`}>
        <a href={linkTo(anchor)}>
          <Prose text={title} />
        </a>
      </h3>
      <p class="says">
        Fails in <Prose text={formatWhere(cause)} />.
        {listContrasts(cause).map((sentence) => (
          <>
            {' '}
            <Prose text={sentence} />.
          </>
        ))}
      </p>
      <p class="says">
        Look first at <Prose text={lookAt} />.
      </p>
      {accepted !== undefined && <p class="says">{accepted}</p>}
      <ClauseList clauses={clausesOfAll(requirements).slice(0, shownQuotes)} />
      {example && <ExampleView example={example} />}
      {symptoms.length === 1 ? (
        <details class="more">
          <summary>{pluralize(symptoms[0]?.cases.length ?? 0, 'case')}</summary>
          <CaseLinks cases={symptoms[0]?.cases ?? []} />
        </details>
      ) : (
        <Folded items={symptoms} most={shownSymptoms} noun="symptom">
          {(shown) => (
            <ul class="found">
              {shown.map((symptom) => (
                <Symptom symptom={symptom} title={title} />
              ))}
            </ul>
          )}
        </Folded>
      )}
      <Requirements outcome={outcome} items={requirements} />
    </article>
  );
}

/**
 * Renders the expected and the received response of an example. The headers, the body and a curl line are collapsed.
 */
export function ExampleView({ example }: { readonly example: Example }): Markup {
  const { exchange, requirement, findings } = example;
  return (
    <>
      <dl class="example">
        <dt>Expected</dt>
        <dd>
          <Prose text={promised(requirement)} />
        </dd>
        <dt>Received</dt>
        <dd>
          <code>{formatAnswer(exchange, longestExcerpt)}</code>
        </dd>
      </dl>
      <details class="more">
        <summary>Curl line and response</summary>
        <CurlLine line={exchange.curl} />
        <ResponsePane exchange={exchange} notes={notesOf(findings)} extent={extents.nextTo} />
      </details>
    </>
  );
}

/**
 * Renders the text and the cases of a symptom. The text is omitted if the title of the cause is this text, or ends
 * with a colon and this text.
 */
function Symptom({ symptom, title }: { readonly symptom: SymptomGroup; readonly title: string }): Markup {
  const { message, seen, requirements, cases } = symptom;
  const text = requirements.length > 1 ? seen : message;
  return (
    <li>
      {!isInTitle(text, title) && <p>{text}</p>}
      <details class="more">
        <summary>{pluralize(cases.length, 'case')}</summary>
        <CaseLinks cases={cases} />
      </details>
    </li>
  );
}

function Requirements({
  outcome,
  items,
}: {
  readonly outcome: Cause['outcome'];
  readonly items: readonly RequirementReport[];
}): Markup {
  return (
    <div class="violated">
      <h4>
        {outcomeVerbs[outcome]} {pluralize(items.length, 'requirement')}
      </h4>
      <Folded items={items} most={shownRequirements} noun="requirement">
        {(shown) => <RequirementLinks items={shown} />}
      </Folded>
    </div>
  );
}

function RequirementLinks({ items }: { readonly items: readonly RequirementReport[] }): Markup {
  return (
    <ul class="links">
      {items.map(({ id, says }) => (
        <li>
          <a href={linkTo(anchors.requirement(id))}>{id}</a> <Prose text={says} />
        </li>
      ))}
    </ul>
  );
}

const shownCases = 4;

/**
 * Renders links to cases, with the signs of their outcomes if `outcomeOf` is given. The rest of a long list is
 * collapsed.
 */
export function CaseLinks({
  cases,
  outcomeOf,
}: {
  readonly cases: readonly string[];
  readonly outcomeOf?: ReadonlyMap<string, Outcome>;
}): Markup {
  return (
    <Folded items={cases} most={shownCases} noun="case">
      {(shown) => <Links cases={shown} outcomeOf={outcomeOf} />}
    </Folded>
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
