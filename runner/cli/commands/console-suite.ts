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
  about: 'The suite sends more than 2,000 requests to a copy of this gateway.',
  async run({ rateLimit, ...stated }, address, onProgress, signal) {
    // Most gateways are served without a run.
    const [{ runSuite }, { completeOptions }, { openTransport }] = await Promise.all([
      import('../../run/run.ts'),
      import('../../run/options.ts'),
      import('../../send/http.ts'),
    ]);
    const catalog = await catalogOfPackage();
    const profile = parseProfile({ ...stated, ...(rateLimit && { rateLimit }) }, catalog);
    const { concurrency: connections, maxBodyBytes: bodyBytes } = completeOptions({});
    const limits = { ...profile.timeouts, bodyBytes };
    let [done, total] = [0, 0];
    const report = await runSuite(createPromise(catalog, profile), {
      signal,
      transport: openTransport(address, { connections, limits, signal }),
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
      requirements: report.requirements.length,
      async html() {
        const { html } = await import('../../reporters/html/page.tsx');
        return joinReportText(html(createView(report)));
      },
    };
  },
  curlLine: (request) => formatCurlLine(request, { valid: 'GATEWAY_API_KEY' }),
};
