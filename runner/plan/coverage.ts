import { type AttributeMatcher, type Attributes, matches } from '../catalog/condition.ts';
import { isOperationId } from '../catalog/operations.ts';
import { isInvalidPart } from '../catalog/several-faults.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import {
  type AttributeClass,
  type AttributeClasses,
  classifyAttributes,
  listAlternatives,
} from './attribute-classes.ts';
import { completeAttributes } from './complete-attributes.ts';
import type { PlannedCase } from './plan.ts';

/**
 * Numbers of combinations of attribute values, counted as in NISTIR 7878, *Combinatorial Coverage Measurement*. Values
 * that the ledger treats alike count as one.
 */
export interface CoverageCounts {
  /** The number of combinations that a request can have, and for which the ledger states one right response. */
  readonly total: number;
  /** The number of combinations that occur in at least one judged request. */
  readonly judged: number;
  /** The number of combinations that the profile or a limit excludes. */
  readonly notApplicable: number;
  /** The number of combinations that no planned case sends, although a case could. */
  readonly notChosen: number;
}

export interface Coverage {
  /** The pairs of values of any two attributes. */
  readonly pairs: CoverageCounts;
  /** The combinations of an operation, a header or `streamed`, and a value of any third attribute. */
  readonly triples: CoverageCounts;
}

/** The state of a case, and of a combination that occurs in a case. */
export type CaseState = 'judged' | 'not-judged' | 'not-applicable';

/**
 * The state of a combination. If no case has the combination:
 * - `impossible`: no operation has a request with these values.
 * - `ambiguous`: two parts of each such request are invalid, so that several responses are right.
 * - `unspecified`: no requirement applies to such a request.
 * - `not-chosen`: a case with this combination could be judged.
 */
export type CombinationState = CaseState | 'impossible' | 'ambiguous' | 'unspecified' | 'not-chosen';

export interface Combination {
  readonly classes: readonly AttributeClass[];
  readonly state: CombinationState;
}

export interface Combinations {
  readonly pairs: readonly Combination[];
  readonly triples: readonly Combination[];
}

/** Counts the combinations of classes by their states. A case counts with the steps that its requirements judge. */
export function measureCoverage(
  promise: GatewayPromise,
  cases: readonly PlannedCase[],
  stateOf: (item: PlannedCase) => CaseState,
): Coverage {
  const counts = { pairs: new Map<CombinationState, number>(), triples: new Map<CombinationState, number>() };
  visitCombinations(classifyAttributes(promise), promise, cases, stateOf, (state, _one, _other, third) => {
    const own = third < 0 ? counts.pairs : counts.triples;
    own.set(state, (own.get(state) ?? 0) + 1);
  });
  return { pairs: sumUp(counts.pairs), triples: sumUp(counts.triples) };
}

/** Sums up the numbers of combinations by state. */
export function sumUp(states: ReadonlyMap<CombinationState, number>): CoverageCounts {
  const of = (state: CombinationState): number => states.get(state) ?? 0;
  const [judged, notApplicable, notChosen] = [of('judged'), of('not-applicable'), of('not-chosen')];
  return { total: judged + of('not-judged') + notApplicable + notChosen, judged, notApplicable, notChosen };
}

/** Returns the state of each pair and triple of classes if these cases are judged. */
export function listCombinations(promise: GatewayPromise, cases: readonly PlannedCase[]): Combinations {
  const space = classifyAttributes(promise);
  const pairs: Combination[] = [];
  const triples: Combination[] = [];
  visitCombinations(
    space,
    promise,
    cases,
    () => 'judged',
    (state, ...indexes) => {
      const classes = indexes.flatMap((index) => space.classes[index] ?? []);
      (classes.length === 2 ? pairs : triples).push({ classes, state });
    },
  );
  return { pairs, triples };
}

/** The bits of a combination: which cases have it. */
const bits = { 'not-applicable': 1, 'not-judged': 2, judged: 4 } as const;

function visitCombinations(
  space: AttributeClasses,
  promise: GatewayPromise,
  cases: readonly PlannedCase[],
  stateOf: (item: PlannedCase) => CaseState,
  visit: (state: CombinationState, one: number, other: number, third: number) => void,
): void {
  const { classes, attributes } = space;
  const size = classes.length;
  const ofAttribute = (name: string): readonly number[] =>
    classes.flatMap(({ attribute }, index) => (attribute === name ? [index] : []));
  const operations = ofAttribute('operation');
  const seconds = [...ofAttribute('header'), ...ofAttribute('streamed')];
  const positions = {
    operation: attributes.findIndex(({ name }) => name === 'operation'),
    seconds: ['header', 'streamed'].map((second) => attributes.findIndex(({ name }) => name === second)),
  };
  const firstOperation = operations[0] ?? 0;
  const secondIndexes = new Map(seconds.map((own, index) => [own, index]));
  const ofPairs = new Uint8Array(size * size);
  const ofTriples = new Uint8Array(operations.length * seconds.length * size);
  const tripleAt = (operation: number, second: number): number =>
    ((operation - firstOperation) * seconds.length + (secondIndexes.get(second) ?? 0)) * size;

  const ofClasses = new Uint8Array(size);
  const mark = (own: Int16Array, bit: number): void => {
    for (const [index, one] of own.entries()) {
      if (one < 0) continue;
      ofClasses[one] = (ofClasses[one] ?? 0) | bit;
      for (let next = index + 1; next < own.length; next++) {
        const other = own[next] ?? -1;
        if (other >= 0) ofPairs[one * size + other] = (ofPairs[one * size + other] ?? 0) | bit;
      }
    }
    const operation = own[positions.operation] ?? -1;
    for (const position of positions.seconds) {
      const second = own[position] ?? -1;
      if (operation < 0 || second < 0) continue;
      const start = tripleAt(operation, second);
      for (const third of own)
        if (third >= 0) ofTriples[start + third] = (ofTriples[start + third] ?? 0) | bit;
    }
  };
  // Most requests differ from others only within their classes, and those are marked once.
  const marked = new Set<string>();
  let last: Attributes | undefined;
  for (const item of cases) {
    const bit = bits[stateOf(item)];
    for (const { steps } of item.checks)
      for (const index of steps) {
        const attributes = item.steps[index]?.attributes;
        if (!attributes || attributes === last) continue;
        last = attributes;
        const own = space.classesOf(attributes);
        const key = String.fromCharCode(bit, ...own);
        if (!marked.has(key)) mark(own, bit);
        marked.add(key);
      }
  }

  const explain = createExplain(promise, space);
  const isExcluded = (index: number): boolean => ofClasses[index] === bits['not-applicable'];
  const stateAt = (set: number, one: number, other: number, third: number): CombinationState => {
    if (set >= bits.judged) return 'judged';
    if (set >= bits['not-judged']) return 'not-judged';
    if (set > 0) return 'not-applicable';
    const reason = explain(one, other, third);
    return reason === 'not-chosen' && [one, other, third].some(isExcluded) ? 'not-applicable' : reason;
  };
  for (let one = 0; one < size; one++)
    for (let other = one + 1; other < size; other++)
      if (classes[one]?.attribute !== classes[other]?.attribute)
        visit(stateAt(ofPairs[one * size + other] ?? 0, one, other, -1), one, other, -1);
  for (const operation of operations)
    for (const second of seconds) {
      const start = tripleAt(operation, second);
      const isStreamed = classes[second]?.attribute === 'streamed';
      for (const [third, { attribute }] of classes.entries()) {
        // The combinations of an operation, a header and `streamed` are counted once.
        if (attribute === 'operation' || attribute === 'header' || (isStreamed && attribute === 'streamed'))
          continue;
        visit(stateAt(ofTriples[start + third] ?? 0, operation, second, third), operation, second, third);
      }
    }
}

/** The indexes of two or three classes; `third` is -1 for a pair. */
type Explain = (one: number, other: number, third: number) => Exclude<CombinationState, CaseState>;

/** Returns the function that explains why no case has a combination of classes. */
function createExplain(promise: GatewayPromise, space: AttributeClasses): Explain {
  const { parts } = promise.attributes;
  const { classes } = space;
  const credential = 1 << parts.findIndex(({ name }) => name === 'credential');
  const complete = createComplete(promise, space);
  const isJudged = createIsJudged(promise, space);
  const invalidParts = classes.map(({ attribute, values: [value = ''] }) =>
    parts.reduce(
      (sum, part, index) => sum | (isInvalidPart(part, { [attribute]: value }) ? 1 << index : 0),
      0,
    ),
  );
  const isInvalid = classes.map(
    ({ attribute, values: [value = ''] }) =>
      completeAttributes({ operation: 'chat', [attribute]: value }, promise).request === 'invalid',
  );
  const operations = classes.flatMap(({ attribute, values: [id = ''] }, operation) => {
    if (attribute !== 'operation') return [];
    const headers = classes.flatMap((own, header) => {
      const [place = ''] = own.attribute === 'header' ? own.values : [];
      return completeAttributes({ operation: id, header: place }, promise).accepted === 'true'
        ? [header]
        : [];
    });
    return { operation, headers };
  });
  const explainFor = (operation: number, request: CompleteRequest): ReturnType<Explain> => {
    let invalid = request.isAccepted ? 0 : credential;
    let isValid = true;
    for (const index of request.classes) {
      invalid |= invalidParts[index] ?? 0;
      if (isInvalid[index]) isValid = false;
    }
    if ((invalid & (invalid - 1)) !== 0) return 'ambiguous';
    return isJudged(operation, request, isValid) ? 'not-chosen' : 'unspecified';
  };
  return (one, other, third) => {
    let reason: ReturnType<Explain> = 'impossible';
    for (const { operation, headers } of operations) {
      if (classes[one]?.attribute === 'operation' && one !== operation) continue;
      // Some requirements apply only to a key in a named header, others only to the usual header `any`.
      for (const header of headers) {
        const request = complete(operation, one, other, third, header);
        if (!request) break;
        const own = explainFor(operation, request);
        if (own === 'not-chosen') return own;
        if (reason !== 'ambiguous') reason = own;
        if (own === 'ambiguous') break;
      }
    }
    return reason;
  };
}

/** Returns the function that decides whether a requirement on single cases may apply to a request. */
function createIsJudged(
  promise: GatewayPromise,
  { attributes, classes }: AttributeClasses,
): (operation: number, request: CompleteRequest, isValid: boolean) => boolean {
  // `one-fault` is about requests with several invalid parts, which are ambiguous.
  const rows = promise.requirements.flatMap(({ over, when, then }) =>
    over === 'case' && then.kind !== 'one-fault' ? listAlternatives(when) : [],
  );
  const words = Math.ceil(rows.length / 32);
  /** Returns a bit for each row that is possible. */
  const select = (isPossible: (row: readonly AttributeMatcher[]) => boolean): Int32Array => {
    const selected = new Int32Array(words);
    for (const [index, row] of rows.entries())
      if (isPossible(row)) selected[index >> 5] = (selected[index >> 5] ?? 0) | (1 << (index & 31));
    return selected;
  };
  const ofClasses = classes.map(({ attribute, values: [value] }) =>
    select((row) => row.every(({ name, matcher }) => name !== attribute || matches(matcher, value))),
  );
  const keyAt = attributes.findIndex(({ name }) => name === 'key');
  const counted = new Set(attributes.map(({ name }) => name));
  const ofOthers = new Map<number, Int32Array>();
  const selectByOthers = (
    operation: number,
    key: number,
    isAccepted: boolean,
    isValid: boolean,
  ): Int32Array => {
    const number = ((operation * classes.length + key) * 2 + Number(isAccepted)) * 2 + Number(isValid);
    const known = ofOthers.get(number);
    if (known) return known;
    const [id = 'none', kind = 'good'] = [operation, key].map((index) => classes[index]?.values[0]);
    const all = completeAttributes({ operation: id, key: kind }, promise);
    const others: Attributes = {
      ...Object.fromEntries(Object.entries(all).filter(([name]) => !counted.has(name))),
      accepted: String(isAccepted),
      request: isValid ? 'valid' : 'invalid',
    };
    const selected = select((row) =>
      row.every(({ name, matcher }) => matches(matcher, others[name]) !== false),
    );
    ofOthers.set(number, selected);
    return selected;
  };
  return (operation, request, isValid) => {
    const possible = selectByOthers(operation, request.classes[keyAt] ?? 0, request.isAccepted, isValid);
    for (let word = 0; word < words; word++) {
      let left = possible[word] ?? 0;
      for (let position = 0; left !== 0 && position < request.classes.length; position++)
        left &= ofClasses[request.classes[position] ?? 0]?.[word] ?? 0;
      if (left !== 0) return true;
    }
    return false;
  };
}

interface CompleteRequest {
  /** The class of each attribute. */
  readonly classes: Int16Array;
  readonly isAccepted: boolean;
}

interface Need {
  readonly position: number;
  /** Whether the attribute may have the class, by class. */
  readonly allowed: readonly boolean[];
}

/**
 * Returns the function that completes a combination of classes to a request of an operation: with the usual classes,
 * and with what `only` in `specs/attributes.yaml` demands. The function returns undefined if no such request exists.
 * The request is valid until the next call.
 */
function createComplete(
  promise: GatewayPromise,
  { attributes, classes, classesOf }: AttributeClasses,
): (
  operation: number,
  one: number,
  other: number,
  third: number,
  usualHeader: number,
) => CompleteRequest | undefined {
  const positions = new Map(attributes.map(({ name }, index) => [name, index]));
  const positionOf = Int16Array.from(classes, ({ attribute }) => positions.get(attribute) ?? -1);
  const [headerAt = -1, streamedAt = -1] = [positions.get('header'), positions.get('streamed')];
  const needs = classes.map(({ attribute, values }) => {
    const { only } = attributes[positions.get(attribute) ?? -1] ?? {};
    const alternatives = [...new Set(values.map((value) => only?.(value)))].flatMap((condition) =>
      condition === undefined ? [[]] : listAlternatives(condition),
    );
    return alternatives.map((alternative) =>
      alternative.map(
        ({ name, matcher }): Need => ({
          position: positions.get(name) ?? -1,
          allowed: classes.map((own) => own.attribute === name && matches(matcher, own.values[0]) === true),
        }),
      ),
    );
  });
  const hasNeeds = needs.map((alternatives) => alternatives.every(({ length }) => length > 0));
  const anyHeader = classesOf({ header: 'any' })[headerAt] ?? -1;
  const usual = new Map<number, CompleteRequest>();
  const findUsual = (operation: number, header: number): CompleteRequest => {
    const key = operation * classes.length + header;
    const known = usual.get(key);
    if (known) return known;
    const [id = 'none', place = 'any'] = [operation, header].map((index) => classes[index]?.values[0]);
    const all = completeAttributes({ operation: id, header: place }, promise);
    const own = { classes: classesOf(all), isAccepted: all.accepted === 'true' };
    usual.set(key, own);
    return own;
  };
  const fixed = classes.map(({ attribute, values: [id = ''] }) =>
    attribute === 'operation' && isOperationId(id) && promise.operations[id].streams === 'parameter'
      ? 0
      : 1 << streamedAt,
  );

  const request = new Int16Array(attributes.length);
  // A bit for each attribute that must keep its class, and the classes whose needs have not been met yet.
  let set = 0;
  const open: number[] = [];

  function assign(index: number): boolean {
    const position = positionOf[index] ?? -1;
    if (set & (1 << position) && request[position] !== index) return false;
    request[position] = index;
    set |= 1 << position;
    if (hasNeeds[index]) open.push(index);
    return true;
  }

  function meet({ position, allowed }: Need): boolean {
    const isMet = allowed[request[position] ?? -1] === true;
    if (!isMet && set & (1 << position)) return false;
    if (!isMet) return assign(allowed.indexOf(true));
    set |= 1 << position;
    return true;
  }

  function settle(from: number): boolean {
    const index = open[from];
    if (index === undefined) return true;
    const alternatives = needs[index] ?? [];
    if (alternatives.length === 1) return (alternatives[0] ?? []).every(meet) && settle(from + 1);
    const before = { request: request.slice(), set, length: open.length };
    return alternatives.some((alternative) => {
      request.set(before.request);
      set = before.set;
      open.length = before.length;
      return alternative.every(meet) && settle(from + 1);
    });
  }

  function isPossible(
    operation: number,
    one: number,
    other: number,
    third: number,
    usualHeader = anyHeader,
  ): boolean {
    const header = positionOf[one] === headerAt ? one : positionOf[other] === headerAt ? other : usualHeader;
    request.set(findUsual(operation, header).classes);
    set = fixed[operation] ?? 0;
    open.length = 0;
    return (
      assign(operation) &&
      (one === operation || assign(one)) &&
      assign(other) &&
      (third < 0 || assign(third)) &&
      settle(0)
    );
  }

  // Most combinations are impossible because of one class, so that class is tried alone, once for each operation.
  const possible = new Map<number, boolean>();
  const isPossibleAlone = (operation: number, index: number): boolean => {
    const key = operation * classes.length + index;
    const known = possible.get(key) ?? isPossible(operation, operation, index, -1);
    possible.set(key, known);
    return known;
  };

  return (operation, one, other, third, usualHeader) => {
    if (one !== operation && !isPossibleAlone(operation, one)) return undefined;
    if (!isPossibleAlone(operation, other) || (third >= 0 && !isPossibleAlone(operation, third)))
      return undefined;
    if (!isPossible(operation, one, other, third, usualHeader)) return undefined;
    const { isAccepted } = findUsual(operation, request[headerAt] ?? anyHeader);
    return { classes: request, isAccepted };
  };
}
