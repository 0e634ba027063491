import { table } from '../measure/figure.js';
import { conformance, msToFirstRequest, runNode } from '../measure/process.js';
import { inTurn } from '../measure/rounds.js';

async function measure() {
  const rounds = await inTurn(
    { count: 15 },
    {
      version: () => runNode([conformance, '--version'], { bare: true }).then(({ ms }) => ms),
      nothing: () => runNode(['-e', '0'], { bare: true }).then(({ ms }) => ms),
      embedded: () => msToFirstRequest([conformance, 'run']),
    },
  );
  return table([
    {
      what: '`conformance --version` ÷ `node -e 0`',
      values: rounds.map(({ version, nothing }) => version / nothing),
      unit: '×',
      target: { most: 1.7 },
    },
    { what: '`node -e 0`', values: rounds.map(({ nothing }) => nothing), unit: 'ms' },
    {
      what: '`conformance run`: start to first request',
      values: rounds.map(({ embedded }) => embedded),
      unit: 'ms',
      target: { most: 250 },
    },
    {
      what: 'the same ÷ `node -e 0`',
      values: rounds.map(({ embedded, nothing }) => embedded / nothing),
      unit: '×',
    },
  ]);
}

/** What a start takes. @type {import('../run.js').Part} */
export const start = {
  title: 'Start',
  about: `The time until the first request of a run of the bundled reference gateway is from before the process is started until that gateway, in the same process, got a request. A module that is loaded before the command notes it by \`http.server.request.start\` of \`node:diagnostics_channel\`.`,
  measure,
  tried: `What was tried: data and schemas compiled by the build, the commands bundled with the packages that most of them need, all else loaded where it is needed; a third of the time of before. A compile cache is not there in Node 20; fewer and bigger bundles, and minified ones, gained nothing. What is left is the start of Node itself (a third), the plan, and reading the bundles.`,
};
