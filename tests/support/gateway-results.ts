import {
  collectResults,
  type GatewayReport,
  type GatewayResults,
} from '../../runner/compare/gateway-results.ts';
import type { Report } from '../../runner/report/report.ts';

/**
 * Returns the results of three versions of two gateways, made from a report: one as it is, one with a declared
 * deviation, and an older one with fewer requirements and another revision.
 */
export function createGatewayResults(report: Report): GatewayResults {
  const [deviating, ...others] = report.requirements;
  if (!deviating) throw new Error('The report has no requirement.');
  const reports: readonly GatewayReport[] = [
    {
      ...fileOf('brisk-proxy', '0.9'),
      report: {
        ...report,
        startedAt: '2026-01-31T23:59:00.000Z',
        spec: { ...report.spec, revision: 'older' },
        requirements: report.requirements.slice(1),
      },
    },
    {
      ...fileOf('brisk-proxy', '0.10'),
      command: 'docker run --publish 8080 brisk-proxy:0.10\nnpx conformance run http://localhost:8080',
      page: 'brisk-proxy/0.10/report.html',
      report: {
        ...report,
        startedAt: '2026-02-01T10:00:00.000Z',
        requirements: [{ ...deviating, outcome: 'deviates', declares: 'status 503' }, ...others],
      },
    },
    { ...fileOf('calm | gateway', null), report: { ...report, startedAt: '2026-02-01T11:00:00.000Z' } },
  ];
  return collectResults(reports);
}

function fileOf(target: string, version: string | null): Omit<GatewayReport, 'report'> {
  const folder = [target, version].filter((name) => name !== null).join('/');
  return { target, version, command: null, page: null, file: `${encodeURI(folder)}/report.json` };
}
