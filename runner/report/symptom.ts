import { type Finding, type SingleFinding, selectMainFindings } from '../judge/finding.ts';
import { textsOf } from './findings.ts';
import { placeInResponse } from './format-value.ts';

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
  /** The expected and the received status; present only for a finding of the kind `wrong-status` or `happened`. */
  readonly status?: { readonly expected: string; readonly actual: number };
}

/**
 * Returns the symptom of the findings of one response. If the status is wrong, ignores all other findings, since the
 * other findings follow from the wrong status.
 */
export function symptomOf(findings: readonly Finding[]): Symptom {
  const simple = selectMainFindings(findings);
  const [first] = simple;
  const different = new Map(
    simple.map((finding) => {
      const { symptom, message, seen = message, place } = textsOf(finding);
      return [`${finding.kind} ${symptom}`, { message, seen, place, lookAt: formatLookAt(finding) }];
    }),
  );
  const all = [...different.values()];
  return {
    key: [...different.keys()].join('; '),
    message: joinDistinct(all.map(({ message }) => message)),
    seen: joinDistinct(all.map(({ seen }) => seen)),
    lookAt: all[0]?.lookAt ?? '',
    places: [...new Set(all.flatMap(({ place }) => place ?? []))],
    ...statusIn(first),
  };
}

/** Formats the place to check first, and the expected value there, as a phrase that follows `Look first at`. */
function formatLookAt(finding: SingleFinding): string {
  const { lookAt, place, label, expected } = textsOf(finding);
  return lookAt ?? `${place === undefined ? label : placeInResponse(place)} (expected: ${expected})`;
}

function statusIn(finding: SingleFinding | undefined): Pick<Symptom, 'status'> {
  if (finding?.kind === 'wrong-status') return { status: finding };
  if (finding?.kind !== 'happened') return {};
  return { status: { expected: `any status except ${finding.unwanted}`, actual: finding.actual } };
}

function joinDistinct(parts: readonly string[]): string {
  return [...new Set(parts)].join('; ');
}
