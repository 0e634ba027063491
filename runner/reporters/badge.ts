import { makeBadge } from 'badge-maker';
import type { OverallResult } from '../gate/exit-code.ts';
import type { View } from '../view/view.ts';

const colours: Readonly<Record<OverallResult, string>> = {
  conforms: 'brightgreen',
  'as-declared': 'green',
  'in-scope': 'orange',
  'deviations-outdated': 'red',
  violates: 'red',
  'as-expected': 'orange',
  'baseline-outdated': 'red',
  inconclusive: 'yellow',
};

/**
 * Formats the report as an SVG badge with the numbers of passed, declared and planned requirements, in the colour of the
 * result.
 */
export function badge({ report, gate }: View): string {
  const { conforms, deviates, planned } = report.summary.requirements;
  const declared = deviates > 0 ? ` + ${deviates} declared` : '';
  const message = `${conforms}${declared} of ${planned}`;
  return `${makeBadge({ label: 'conformance', message, color: colours[gate.result] })}\n`;
}
