import { type Expectation, isAboutOneResponse } from '../catalog/expectation.ts';
import type { StatusSet } from '../catalog/status-set.ts';

/**
 * A form of response that satisfies the checks of a step, as far as the status, `error.type` and `error.code` show.
 */
export interface ExpectedResponse {
  /** Sets of statuses. The status of the response must be in each of these sets. */
  readonly statuses: readonly StatusSet[];
  /** The accepted values of `error.type`; undefined if every value is accepted. */
  readonly types: readonly string[] | undefined;
  /** The accepted values of `error.code`; undefined if every value is accepted. */
  readonly codes: readonly string[] | undefined;
}

const anything: ExpectedResponse = { statuses: [], types: undefined, codes: undefined };
/** The responses that an expectation without a condition on status, type or code accepts. */
const unrestricted: readonly ExpectedResponse[] = [anything];
// Only a burst expects a 429, and no request of a burst is retried.
const isNot429: StatusSet = { members: ['429'], negated: true };
const isNotTransient: StatusSet = { members: ['5xx'], negated: true };

/**
 * Returns the forms of response that satisfy all expectations of one step. After such a response, the request is not
 * sent again. Returns an empty list if no expectation applies to a single response. A 429 is never an expected
 * response. A 5xx is an expected response only if an expectation accepts this status.
 */
export function listExpectedResponses(expectations: readonly Expectation[]): readonly ExpectedResponse[] {
  const own = expectations.filter(isAboutOneResponse);
  if (own.length === 0) return [];
  return responsesOfAll(own).map(({ statuses, ...rest }) => ({
    ...rest,
    statuses: [...(statuses.length > 0 ? statuses : [isNotTransient]), isNot429],
  }));
}

/**
 * Creates a variant of `listExpectedResponses` that returns the same list for the same expectations, since most steps
 * share their expectations with other steps.
 */
export function createListExpectedResponses(): typeof listExpectedResponses {
  const numbers = new Map<Expectation, number>();
  const lists = new Map<string, readonly ExpectedResponse[]>();
  const numberOf = (expectation: Expectation): number => {
    const number = numbers.get(expectation) ?? numbers.size;
    numbers.set(expectation, number);
    return number;
  };
  return (expectations) => {
    const key = expectations.map(numberOf).join();
    const list = lists.get(key) ?? listExpectedResponses(expectations);
    lists.set(key, list);
    return list;
  };
}

function responsesOfAll(expectations: readonly Expectation[]): readonly ExpectedResponse[] {
  return expectations.reduce((before, expectation) => {
    const own = responsesOf(expectation);
    if (own === unrestricted) return before;
    return before === unrestricted
      ? own
      : before.flatMap((one) => own.map((other) => mergeResponses(one, other)));
  }, unrestricted);
}

function responsesOf(expectation: Expectation): readonly ExpectedResponse[] {
  switch (expectation.kind) {
    case 'all':
      return responsesOfAll(expectation.of);
    case 'any':
      return expectation.of.flatMap(responsesOf);
    case 'status':
      return [{ ...anything, statuses: [expectation.status] }];
    case 'type':
      return [{ ...anything, types: expectation.types }];
    case 'code':
      return [{ ...anything, codes: expectation.codes }];
    default:
      return unrestricted;
  }
}

function mergeResponses(one: ExpectedResponse, other: ExpectedResponse): ExpectedResponse {
  return {
    statuses: [...one.statuses, ...other.statuses],
    types: intersect(one.types, other.types),
    codes: intersect(one.codes, other.codes),
  };
}

function intersect(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!one || !other) return one ?? other;
  return one.filter((item) => other.includes(item));
}
