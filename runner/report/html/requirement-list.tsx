import type { Outcome } from '../../judge/outcome.ts';
import { collectFailures } from '../causes/failures.ts';
import { gather } from '../gather.ts';
import type { Report } from '../report.ts';
import type { Markup } from './markup.ts';
import { RequirementEntry } from './requirement-entry.tsx';
import { sectionOf, sectionTitles } from './section-titles.ts';
import { Tally } from './tally.tsx';

/** Every requirement, by the section of the specification in which its first clause stands, in its order. */
export function RequirementList({ report }: { readonly report: Report }): Markup {
  const sections = gather(report.requirements, ({ clause }) => sectionOf(clause)).sort(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const outcomesByRequirement = gatherOutcomes(report);
  const failures = new Map(gather(collectFailures(report), ({ requirement }) => requirement.id));
  return (
    <section id="requirements" aria-labelledby="requirements-title">
      <h2 id="requirements-title">Requirements by clause</h2>
      {sections.map(([section, requirements]) => (
        <section class="part">
          <h3>
            <span class="clause">{section}</span> {sectionTitles.get(section)} <Tally items={requirements} />
          </h3>
          {requirements.map((item) => (
            <RequirementEntry
              report={report}
              item={item}
              outcomeOf={outcomesByRequirement.get(item.id) ?? new Map()}
              failures={failures.get(item.id) ?? []}
            />
          ))}
        </section>
      ))}
    </section>
  );
}

function gatherOutcomes({ cases }: Report): ReadonlyMap<string, ReadonlyMap<string, Outcome>> {
  const gathered = new Map<string, Map<string, Outcome>>();
  for (const { id, obligations } of cases) {
    for (const { requirement, outcome } of obligations) {
      const own = gathered.get(requirement) ?? new Map<string, Outcome>();
      gathered.set(requirement, own.set(id, outcome));
    }
  }
  return gathered;
}
