import { XmlDocument } from 'libxml2-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { badge } from '../../support/reporters.ts';
import { createSampleReport } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = await createSampleReport();
});

describe('the badge', () => {
  test('is an SVG with the numbers of conforming requirements and of those that deviate as declared', () => {
    const document = XmlDocument.fromString(badge(report));
    const { conforms, deviates, planned } = report.summary.requirements;
    expect(document.root.name).toBe('svg');
    expect(document.root.content).toContain(`conformance: ${conforms} + ${deviates} declared of ${planned}`);
    document.dispose();
  });
});
