import { pluralize } from '../../../common/lists.ts';
import { formatSuggestion } from '../../../common/nearest.ts';
import { type Line, wrapWords } from '../../../common/wrap.ts';
import { type Fault, listFaults } from '../../../reference-server/faults/index.ts';
import { listVariants, type Variant } from '../../../reference-server/variants/index.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { type Clauses, quotesOf } from '../../catalog/clauses.ts';
import type { ClientDuty } from '../../catalog/client-duties.ts';
import type { Requirement, UncheckedClause } from '../../catalog/requirements.ts';
import { loadSdkSpec, type SdkRequirement, type SdkSpec } from '../../clients/sdk-spec.ts';
import { createControls } from '../../evidence/controls.ts';
import { formatExpectation } from '../../judge/format-expectation.ts';
import { type PlannedCase, plan } from '../../plan/plan.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { describeRequest } from '../../report/describe-exchange.ts';
import { createRedact } from '../../report/redaction/redact.ts';
import { wrapCurl } from '../../reporters/terminal/page.ts';
import { deriveKeys } from '../../request/keys.ts';
import { planRequests } from '../../send/plan-requests.ts';
import { buildContext } from '../../send/sender.ts';
import { formatClauses } from '../../view/clauses.ts';
import type { FlagsOf } from '../command-table.ts';
import { createEverythingPromise } from '../io/target.ts';

const shownCases = 8;

/**
 * Returns an explanation of a clause, a case, a requirement on the gateway or on SDKs, a client duty, an entry that is
 * `excluded` or `silent`, or a fault or variant of the reference gateway. Descriptions, clauses and curl lines are
 * wrapped to `width` columns. Rejects with a `UsageError` if the ID does not exist. The message suggests a similar ID
 * if a similar ID exists.
 */
export async function explainCommand(id: string, flags: FlagsOf<'explain'>, width: number): Promise<string> {
  const line: Line = { width };
  const promise = createEverythingPromise(flags, await catalogOfPackage());
  const { cases } = plan(promise);
  const requirement = promise.requirements.find((item) => item.id === id);
  if (requirement) return joinLines(explainRequirement(line, requirement, cases, promise));
  // Some client duties are also excluded requirements of the gateway. Such an ID is explained as a client duty.
  const duty = promise.clientDuties.find((item) => item.id === id);
  if (duty) return joinLines(explainDuty(line, duty));
  const unchecked = promise.uncheckedClauses.find((item) => item.id === id);
  if (unchecked) return joinLines(explainUnchecked(line, unchecked, promise.clauses));
  const found = cases.find((item) => item.id === id);
  if (found) return joinLines(explainCase(line, found, promise));
  const clients = loadSdkSpec(promise.schemas);
  const clientRequirement = clients.requirements.find((item) => item.id === id);
  if (clientRequirement)
    return joinLines(explainClientRequirement(line, clientRequirement, clients.errors, promise.clauses));
  const { requirements, uncheckedClauses, clientDuties } = promise;
  const withClause = [...requirements, ...uncheckedClauses, ...clientDuties, ...clients.requirements];
  const quote = promise.clauses.get(id);
  if (quote !== undefined) return joinLines(explainClause(line, id, quote, withClause));
  const fault = listFaults().find((item) => item.id === id);
  if (fault) return joinLines(explainFault(line, fault));
  const variant = listVariants().find((item) => item.id === id);
  if (variant) return joinLines(explainVariant(line, variant));
  const known = [...withClause, ...cases, ...listFaults(), ...listVariants()].map((item) => item.id);
  throw new UsageError(
    `Unknown requirement, case or clause "${id}".${formatSuggestion(id, [...known, ...promise.clauses.keys()]) || ' Run `conformance list` to see all requirements, `conformance list cases` to see all cases, or `conformance list clauses` to see all clauses.'}`,
  );
}

function explainRequirement(
  line: Line,
  requirement: Requirement,
  cases: readonly PlannedCase[],
  promise: GatewayPromise,
): string[] {
  const { id, level, clause, says, over } = requirement;
  const own = cases.filter((item) => item.checks.some((check) => check.requirement.id === id));
  const [first] = own;
  const judged = {
    case: `Checked in ${pluralize(own.length, 'case')}:`,
    operation: `Checked once for each operation, over all its matching responses (${pluralize(own.length, 'operation')}):`,
    run: 'Checked once, over all matching responses of the run:',
  };
  return [
    id,
    ...wrapWords(line, '  ', says),
    '',
    ...clauseLines(line, 'Clause    ', clause, promise.clauses),
    `Level     ${level}`,
    ...wrapWords(line, 'Expected  ', formatExpectation(requirement.then)),
    '',
    judged[over],
    ...own.slice(0, shownCases).map((item) => `  ${item.id}`),
    ...(own.length > shownCases ? [`  and ${own.length - shownCases} more`] : []),
    ...(first && !first.pool ? ['', 'For example:', ...curlLines(line, first, promise)] : []),
  ];
}

function explainClause(
  line: Line,
  name: string,
  quote: string,
  withClause: readonly { readonly id: string; readonly clause: readonly string[] }[],
): string[] {
  const own = withClause.filter(({ clause }) => clause.includes(name));
  return [
    name,
    ...wrapWords(line, '  ', `“${quote}”`),
    '',
    own.length === 0
      ? 'No requirement is based on this clause.'
      : 'Requirements that are based on this clause',
    ...indent([...new Set(own.map(({ id }) => id))]),
  ];
}

function explainFault(line: Line, { id, about, violates }: Fault): string[] {
  return [
    id,
    ...wrapWords(line, '  ', about),
    '',
    'Violates',
    ...indent(violates),
    '',
    'To start the reference gateway with this fault:',
    ...indent([`conformance serve --fault ${id}`]),
  ];
}

function explainVariant(line: Line, { id, about }: Variant): string[] {
  return [
    id,
    ...wrapWords(line, '  ', about),
    '',
    'The specification allows this. To start the reference gateway with it:',
    ...indent([`conformance serve --variant ${id}`]),
  ];
}

function explainUnchecked(
  line: Line,
  { id, clause, kind, reason }: UncheckedClause,
  clauses: Clauses,
): string[] {
  const why = {
    excluded: 'Not checked by a requirement with this ID. The reason is stated above.',
    silent: 'Not checked: the specification leaves this question open.',
  };
  return [
    id,
    ...wrapWords(line, '  ', reason),
    '',
    ...clauseLines(line, 'Clause  ', clause, clauses),
    why[kind],
  ];
}

function explainDuty(line: Line, { id, clause, quotes, level, says }: ClientDuty): string[] {
  return [
    id,
    ...wrapWords(line, '  ', says),
    '',
    ...clauseLines(
      line,
      'Clause  ',
      clause,
      new Map(clause.map((name, index) => [name, quotes[index] ?? ''])),
    ),
    ...wrapWords(
      line,
      'Level   ',
      level === 'observe' ? 'observe: a violation is reported but is never a failure' : level,
    ),
    '',
    ...wrapWords(line, '', 'Applies to clients. Checked by `conformance check` and `conformance proxy`.'),
  ];
}

function explainClientRequirement(
  line: Line,
  { id, clause, level, says, expects, restsOn }: SdkRequirement,
  errors: SdkSpec['errors'],
  clauses: Clauses,
): string[] {
  const calls = errors.filter(({ requirements }) => requirements.includes(id));
  return [
    id,
    ...wrapWords(line, '  ', says),
    '',
    ...clauseLines(line, 'Clause    ', clause, clauses),
    `Level     ${level}`,
    ...wrapWords(line, 'Expected  ', expects),
    '',
    ...wrapWords(
      line,
      '',
      'Applies to the results that an SDK returns to its user. Checked by `conformance clients`.',
    ),
    ...(level === 'must'
      ? wrapWords(
          line,
          '',
          `Violated only if the response itself violates a requirement on the gateway${restsOn.length > 0 ? ', such as' : '.'}`,
        )
      : []),
    ...indent(restsOn),
    ...(calls.length > 0
      ? ['', 'Checked in calls that must be rejected', ...indent(calls.map(({ about }) => about))]
      : []),
  ];
}

function clauseLines(line: Line, label: string, names: readonly string[], clauses: Clauses): string[] {
  const quotes = quotesOf(clauses, names);
  return formatClauses({ clause: names.join('; '), quotes }).flatMap((clause, index) =>
    wrapWords(line, index === 0 ? label : ' '.repeat(label.length), clause),
  );
}

function indent(texts: readonly string[]): string[] {
  return texts.map((text) => `  ${text}`);
}

function explainCase(line: Line, item: PlannedCase, promise: GatewayPromise): string[] {
  return [
    item.id,
    ...wrapWords(line, '  ', item.about),
    '',
    'Checks',
    ...item.checks.flatMap(({ requirement }) =>
      wrapWords(line, '  ', `${requirement.id}: expected ${formatExpectation(requirement.then)}`, 2),
    ),
    ...item.observes.flatMap((entry) =>
      wrapWords(line, '  ', `${entry.id}: observed only. ${entry.reason}`, 2),
    ),
    '',
    ...(item.pool
      ? ['This case sends nothing, and checks the responses of other cases.']
      : ['Sends', ...curlLines(line, item, promise)]),
  ];
}

/**
 * Returns the curl lines of a case. Each step that depends on earlier steps repeats these, so the lines of the last
 * step are the whole case.
 */
function curlLines(line: Line, item: PlannedCase, promise: GatewayPromise): string[] {
  const { profile } = promise;
  const keys = deriveKeys(profile.keys, { secrets: profile.secrets });
  const described = {
    baseUrl: profile.baseUrl,
    redact: createRedact(new Map([...keys.secrets, [createdKey, 'keys.created']])),
    keyVariables: profile.keyVariables,
  };
  const requests = planRequests(item, buildContext({ promise, keys }, createControls()), createdKey);
  const shown = item.steps.some(({ before }) => before) ? requests.slice(-1) : requests;
  const lines = shown.map(
    (one) => describeRequest(one.request, described, { ...one, attributes: item.attributes }).curl,
  );
  return [...new Set(lines)].flatMap((curl) => wrapCurl(line, '  ', curl));
}

/** Stands for the key that a run creates. */
const createdKey = 'sk-created-key-00';

function joinLines(text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}
