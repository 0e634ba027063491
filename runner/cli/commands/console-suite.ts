import type { ConsoleSuite } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { createPromise } from '../../profile/promise.ts';
import { parseProfile } from '../../profile/read-profile.ts';
import { formatCurlLine } from '../../report/curl/curl-line.ts';
import { joinReportText } from '../../reporters/reporter.ts';
import { resultLooks } from '../../view/result.ts';
import { createView } from '../../view/view.ts';

/** The suite of this package for the console of the reference gateway. */
export const consoleSuite: ConsoleSuite = {
  about: 'The suite sends more than 2,000 requests to this gateway.',
  async run({ rateLimit, ...stated }, onProgress, signal) {
    // Most gateways are served without a run.
    const { runSuite } = await import('../../run/run.ts');
    const catalog = await catalogOfPackage();
    const profile = parseProfile({ ...stated, ...(rateLimit && { rateLimit }) }, catalog);
    let [done, total] = [0, 0];
    const report = await runSuite(createPromise(catalog, profile), {
      signal,
      onEvent(event) {
        if (event.kind === 'case') done += 1;
        if (event.kind === 'planned') total = event.cases.length;
        onProgress({ done, total });
      },
    });
    const { look, title } = resultLooks[report.verdict];
    return {
      verdict: report.verdict,
      title: `${look.sign} ${title}`,
      violated: report.requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id),
      async html() {
        const { html } = await import('../../reporters/html/page.tsx');
        return joinReportText(html(createView(report)));
      },
    };
  },
  curlLine: (request) => formatCurlLine(request, { valid: 'GATEWAY_API_KEY' }),
};
