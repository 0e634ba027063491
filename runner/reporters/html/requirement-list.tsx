import { groupBy, pluralize } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import type { PackedEntry } from '../../../common/page/packed-entry.ts';
import { isKept, type Outcome } from '../../judge/outcome.ts';
import type { Report, RequirementReport } from '../../report/report.ts';
import { clausesOf } from '../../view/clauses.ts';
import type { NeededDeviation } from '../../view/deviations.ts';
import type { FailedResponse } from '../../view/failures.ts';
import { groupBySymptom } from '../../view/symptom-groups.ts';
import type { View } from '../../view/view.ts';
import { CaseLinks, ExampleView } from './cause-entry.tsx';
import { anchors, ClauseList, EntryGroup, OutcomeMark, packEntry } from './elements.tsx';

/** Renders every requirement, grouped by the section that contains the first clause of the requirement. */
export function RequirementList({ view }: { readonly view: View }): Markup {
  const { report, failedChecks, deviations } = view;
  const sections = groupBy(report.requirements, ({ clause }) => sectionOf(clause)).sort(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const titles = new Map(report.spec.sections.map(({ number, title }) => [number, title]));
  const outcomesByRequirement = groupOutcomes(report);
  const unexpected = failedChecks.filter(({ known }) => known === undefined);
  const failures = new Map(groupBy(unexpected, ({ requirement }) => requirement.id));
  return (
    <section id="requirements" aria-labelledby="requirements-title">
      <h2 id="requirements-title">Requirements by section</h2>
      <div class="part">
        {sections.map(([section, requirements]) => (
          <EntryGroup
            kind="requirement"
            title={
              <>
                <span class="clause">{section}</span> {titles.get(section)}
              </>
            }
            items={requirements}
            entries={requirements.map((item) =>
              packRequirement(item, {
                report,
                outcomeOf: outcomesByRequirement.get(item.id) ?? new Map(),
                failures: (failures.get(item.id) ?? []).flatMap(({ responses }) => responses),
                needed: deviations?.needed.get(item.id),
              }),
            )}
          />
        ))}
      </div>
    </section>
  );
}

function groupOutcomes({ cases }: Report): ReadonlyMap<string, ReadonlyMap<string, Outcome>> {
  const outcomesByRequirement = new Map<string, Map<string, Outcome>>();
  for (const { id, checks } of cases) {
    for (const { requirement, outcome } of checks) {
      const own = outcomesByRequirement.get(requirement) ?? new Map<string, Outcome>();
      outcomesByRequirement.set(requirement, own.set(id, outcome));
    }
  }
  return outcomesByRequirement;
}

/** Returns a requirement as one line that opens to the clauses, the expected response, the findings and the cases. */
export function packRequirement(
  item: RequirementReport,
  {
    report,
    outcomeOf,
    failures,
    needed = [],
  }: {
    readonly report: Report;
    /** The outcome of this requirement in each case, by case ID. */
    readonly outcomeOf: ReadonlyMap<string, Outcome>;
    /** The failures of this requirement that the baseline does not expect. */
    readonly failures: readonly FailedResponse[];
    /** The declared deviations that responses need. */
    readonly needed?: readonly NeededDeviation[] | undefined;
  },
): PackedEntry {
  const { id, level, says, expects, outcome, cases } = item;
  const anchor = anchors.requirement(id);
  return packEntry(
    { id: anchor, outcome },
    <>
      <OutcomeMark outcome={outcome} />
      <span class="says">
        <Prose text={says} />
      </span>
      <span class="requirement-id">
        {id} · {level}
      </span>
    </>,
    <>
      <p class="permalink">
        <a href={linkTo(anchor)}>{id}</a>
      </p>
      <dl>
        <dt>Specification</dt>
        <dd>
          <ClauseList clauses={clausesOf(item)} />
        </dd>
        <dt>Expected</dt>
        <dd>
          <Prose text={expects} />
        </dd>
        <DeclaredInstead requirement={item} needed={needed} />
      </dl>
      {!isKept(outcome) && <Found report={report} item={item} failures={failures} />}
      <h3>Applies to {pluralize(cases.length, 'case')}</h3>
      <CaseLinks cases={cases} outcomeOf={outcomeOf} />
    </>,
  );
}

/** Renders what the profile declares instead of the expected response; null if it declares nothing. */
function DeclaredInstead({
  requirement: { id, declares },
  needed,
}: {
  readonly requirement: RequirementReport;
  readonly needed: readonly NeededDeviation[];
}): Markup | null {
  const others = needed.filter(({ deviation }) => deviation.id !== id);
  return declares === undefined && others.length === 0 ? null : (
    <>
      <dt>Declared instead</dt>
      <dd>
        <ul class="declared">
          {declares !== undefined && (
            <li>
              <Prose text={declares} />
            </li>
          )}
          {others.map(({ deviation: { id: other, declares: instead }, checks }) => (
            <li>
              <a href={linkTo(anchors.deviations)}>{other}</a>: <Prose text={instead} />
              {`, ${pluralize(checks, 'check')}`}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

/**
 * Renders the distinct findings of a requirement, each with its cases and an example. If the requirement has no such
 * findings, renders the reasons for the outcome.
 */
function Found({
  report,
  item,
  failures,
}: {
  readonly report: Report;
  readonly item: RequirementReport;
  readonly failures: readonly FailedResponse[];
}): Markup {
  const groups = groupBySymptom(failures);
  const reasons = groupBy(
    report.cases.flatMap(({ id, checks }) =>
      checks
        .filter(
          (own) => own.requirement === item.id && own.outcome === item.outcome && own.findings.length === 0,
        )
        .map((own) => ({ id, reason: own.reason ?? '' })),
    ),
    ({ reason }) => reason,
  );
  return (
    <>
      <h3>Findings</h3>
      {groups.map(({ message, cases, example }) => (
        <div class="finding">
          <p class="message">{message}</p>
          <CaseLinks cases={cases} />
          {example && <ExampleView example={example} />}
        </div>
      ))}
      {groups.length === 0 &&
        reasons.map(([reason, cases]) => (
          <div class="finding">
            <p class="message">
              <Prose text={reason} />
            </p>
            <CaseLinks cases={cases.map(({ id }) => id)} />
          </div>
        ))}
    </>
  );
}

/** Returns the section number of the first clause, or the whole text if the text does not begin with a number. */
export function sectionOf(clause: string): string {
  return /^\d+(\.\d+)*/.exec(clause)?.[0] ?? clause;
}
