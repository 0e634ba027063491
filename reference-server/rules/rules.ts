import { isObject } from '../json.ts';
import type { Facts } from './facts.ts';
import { matches } from './match.ts';
import { createMemory, keyOf, type Memory } from './memory.ts';
import { type Change, type Match, type Note, phases, type Rule } from './rule.ts';

/** A list of rules that a server applies. */
export type Rules = {
  /** Returns the rules in order, each with the number of requests to which it has applied. */
  readonly list: () => readonly { readonly rule: Rule; readonly used: number }[];
  /** Replaces the list. A rule that was in it, the same object, keeps its count. */
  readonly replace: (rules: readonly Rule[]) => void;
  /** Releases the responses that `untilReleased` holds. */
  readonly release: () => void;
  readonly released: () => Promise<void>;
  /** Begins a request, of which only the head is known; undefined if there are no rules. */
  readonly begin: (facts: Facts) => RuledRequest | undefined;
};

/**
 * A request to which rules apply. A rule applies as soon as all facts that it asks for are known. Of two rules that
 * change the same thing, the first in the list wins.
 */
export type RuledRequest = {
  /** Whether a rule depends on the body or the credential, so that the server must read both before it goes on. */
  readonly needsReading: boolean;
  /** Returns the changes of how keys are read. `facts` have no credential yet. */
  readonly read: (facts: Facts) => Change;
  /**
   * Returns the changes so far: those of the phases arrive, read and decide. If the request waits, a second call also
   * finds the requests that arrived in the meantime.
   */
  readonly arrive: (facts: Facts) => Change;
  /** Returns all changes. `facts` have the decision of the server. */
  readonly reply: (facts: Facts) => Change;
  /** Returns the rules that have changed something so far, each with the words of its change that took effect. */
  readonly applied: () => readonly AppliedRule[];
  /** Ends the request. */
  readonly end: () => void;
};

/** A rule that changed a request or its response, and the words of `change` that took effect. */
type AppliedRule = { readonly rule: Rule; readonly words: readonly string[] };

/** Creates a list of rules. */
export function createRules(initial: readonly Rule[] = []): Rules {
  let tracked = initial.map(track);
  const memory = createMemory();
  let gate = createGate();
  return {
    list: () => tracked.map(({ rule, used }) => ({ rule, used: used() })),
    replace(rules) {
      const known = new Map(tracked.map((one) => [one.rule, one]));
      tracked = rules.map((rule) => known.get(rule) ?? track(rule));
    },
    release() {
      gate.open();
      gate = createGate();
    },
    released: () => gate.passed,
    begin(head) {
      if (tracked.length === 0) return undefined;
      const rules = tracked;
      let known = head;
      const self = (): Facts => known;
      const watches = rules.some(({ match }) => match.during !== undefined);
      const end = watches ? memory.begin(self) : () => undefined;
      let changes: Change = {};
      const taken = new Set<string>();
      const done = new Set<TrackedRule>();
      const alone = new Set<TrackedRule>();
      const applied: AppliedRule[] = [];

      const apply = (rule: TrackedRule): void => {
        if (done.has(rule)) return;
        const truth = matches(rule.match, known);
        if (truth === undefined) return;
        done.add(rule);
        const { during, noted } = rule.match;
        if (truth === false) return;
        if (noted !== undefined && !memory.isNoted(noted, known)) return;
        if (during !== undefined && !memory.isUnderWay(during, self)) {
          alone.add(rule);
          return;
        }
        const change = rule.next(known);
        if (change === undefined) return;
        const { note, forget, ...others } = change;
        if (note !== undefined) remember(note, memory.note);
        if (forget !== undefined) remember(forget, memory.forget);
        const free = Object.entries(others).filter(([word]) => !taken.has(groupOf(word)));
        for (const [word] of free) taken.add(groupOf(word));
        changes = { ...changes, ...Object.fromEntries(free) };
        if ((note ?? forget) === undefined && free.length === 0) return;
        rule.use(known);
        applied.push({ rule: rule.rule, words: free.map(([word]) => word) });
      };
      const remember = (note: Note, act: Memory['note']): void => {
        const { name, by = [] } = typeof note === 'string' ? { name: note } : note;
        act(name, by, known);
      };
      return {
        needsReading:
          (watches && rules.some(({ match }) => isAbout(match.during, readFacts))) ||
          rules.some((rule) => !rule.isLate && rule.needsReading && matches(rule.match, head) !== false),
        read(facts) {
          known = facts;
          for (const rule of rules) if (rule.changesKeys) apply(rule);
          return changes;
        },
        arrive(facts) {
          known = facts;
          for (const rule of alone) done.delete(rule);
          alone.clear();
          for (const rule of rules) if (!rule.isLate) apply(rule);
          return changes;
        },
        reply(facts) {
          known = facts;
          for (const rule of rules) apply(rule);
          return changes;
        },
        applied: () => applied,
        end,
      };
    },
  };
}

type TrackedRule = {
  readonly rule: Rule;
  readonly match: Match;
  /** Whether the rule depends on the decision of the server. */
  readonly isLate: boolean;
  readonly needsReading: boolean;
  readonly changesKeys: boolean;
  readonly used: () => number;
  /** Counts a request that satisfies all other conditions. Returns its change; undefined if the counts exclude it. */
  readonly next: (facts: Facts) => Change | undefined;
  readonly use: (facts: Facts) => void;
};

function track(rule: Rule): TrackedRule {
  const { match = {} } = rule;
  const changes: readonly Change[] = [rule.change].flat();
  const { by = [], from = 1, every = 1, nth, distinct } = match;
  const { times = Array.isArray(rule.change) ? changes.length : Number.POSITIVE_INFINITY } = match;
  const seen = createCounter();
  const kinds = createNumbering();
  const uses = createCounter();
  let used = 0;
  return {
    rule,
    match,
    isLate: isAbout(match, ['refused']),
    // The log and the errors show the key and the model of a request that isn't handled.
    needsReading:
      isAbout(match, readFacts) ||
      changes.some(
        ({ note, forget, answer, refuse }) =>
          answer ?? refuse ?? isAbout({ anyOf: [note, forget] }, readFacts),
      ),
    changesKeys: changes.some(({ keys }) => keys !== undefined),
    used: () => used,
    next(facts) {
      const key = keyOf(by, facts);
      const number = distinct ? kinds.add(key) : seen.add(key);
      const before = uses.get(key);
      if (number < from || number % every !== 0 || before >= times) return undefined;
      if (nth && !nth.includes(number)) return undefined;
      return changes[before % changes.length];
    },
    use(facts) {
      used += 1;
      uses.add(keyOf(by, facts));
    },
  };
}

/** The facts that a server knows only after it has read the body and the credential. */
const readFacts = ['place', 'credential', 'key', 'model', 'streamed', 'body', 'invalid', 'text', 'marker'];

/**
 * Whether conditions ask for one of these facts, or counts requests apart by one. The conditions of `during` are about
 * other requests.
 */
function isAbout(conditions: unknown, facts: readonly string[]): boolean {
  if (Array.isArray(conditions)) return conditions.some((one) => isAbout(one, facts));
  if (!isObject(conditions)) return false;
  return Object.entries(conditions).some(([name, value]) => {
    if (name === 'by') return Array.isArray(value) && value.some((fact) => facts.includes(String(fact)));
    if (name === 'not' || name === 'anyOf' || name === 'noted') return isAbout(value, facts);
    return facts.includes(name);
  });
}

/** What a word changes. Of one thing, only the first rule that changes it applies. */
function groupOf(word: string): string {
  if (word === 'answer' || word === 'refuse' || word === 'completion') return 'handling';
  const isReply = phases.reply.some((name) => name === word);
  return isReply && word !== 'headers' ? 'reply' : word;
}

/** The most keys that are counted apart. The oldest start anew first. */
const mostCounted = 10_000;

function createCounter() {
  const counts = new Map<string, number>();
  return {
    get: (key: string): number => counts.get(key) ?? 0,
    add(key: string): number {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const [oldest = ''] = counts.keys();
      if (counts.size > mostCounted) counts.delete(oldest);
      return count;
    },
  };
}

/** Numbers keys in the order in which they are first added. */
function createNumbering() {
  const numbers = new Map<string, number>();
  let last = 0;
  return {
    add(key: string): number {
      const number = numbers.get(key) ?? last + 1;
      last = Math.max(last, number);
      numbers.set(key, number);
      const [oldest = ''] = numbers.keys();
      if (numbers.size > mostCounted) numbers.delete(oldest);
      return number;
    },
  };
}

function createGate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
