import { type Finding, selectMainFindings, textsOf, wrongStatusOf } from '../judge/finding.ts';

/** The problem of a response, independent of the violated requirement. */
export interface Symptom {
  /** A text that is equal for responses that are wrong in the same way. */
  readonly key: string;
  /** The expected and the received value. */
  readonly message: string;
  /** The message without the values that differ between findings with this symptom. */
  readonly seen: string;
  /** The place to check first in the response, and the expected value there. */
  readonly lookAt: string;
  /** The places in the response: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  /** The expected and the received status; present only for a finding about a wrong status. */
  readonly status?: { readonly expected: string; readonly actual: number };
}

/**
 * Returns the symptom of the findings of one response. If the status is wrong, ignores all other findings, since the
 * other findings follow from the wrong status.
 */
export function symptomOf(findings: readonly Finding[]): Symptom {
  const main = selectMainFindings(findings);
  const [first] = main;
  const actual = first && wrongStatusOf(first);
  const different = new Map(
    main.map((finding) => {
      const texts = textsOf(finding);
      return [`${finding.kind} ${texts.symptom}`, texts];
    }),
  );
  const all = [...different.values()];
  return {
    key: [...different.keys()].join('; '),
    message: joinDistinct(all.map(({ message }) => message)),
    seen: joinDistinct(all.map(({ seen }) => seen)),
    lookAt: all[0]?.lookAt ?? '',
    places: [...new Set(all.flatMap(({ place }) => place ?? []))],
    ...(actual !== undefined && { status: { expected: all[0]?.expected ?? '', actual } }),
  };
}

function joinDistinct(parts: readonly string[]): string {
  return [...new Set(parts)].join('; ');
}
