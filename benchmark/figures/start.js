import { formatFiguresByNode } from '../measure/figure.js';
import { nodes } from '../measure/nodes.js';
import { conformanceScript, msToFirstRequest, runNode } from '../measure/process.js';
import { runInTurn } from '../measure/rounds.js';

/** @param {import('../measure/nodes.js').Node} node @returns {Promise<import('../measure/figure.js').Figure[]>} */
async function figuresOf({ path: node, major }) {
  const rounds = await runInTurn(
    { count: 15 },
    {
      version: () => runNode([conformanceScript, '--version'], { bare: true, node }).then(({ ms }) => ms),
      nothing: () => runNode(['-e', '0'], { bare: true, node }).then(({ ms }) => ms),
      run: () => msToFirstRequest([conformanceScript, 'run'], node),
    },
  );
  return [
    {
      what: '`conformance --version` ÷ `node -e 0`',
      values: rounds.map(({ version, nothing }) => version / nothing),
      unit: '×',
      target: { most: 1.8 },
    },
    { what: '`node -e 0`', values: rounds.map(({ nothing }) => nothing), unit: 'ms' },
    {
      what: '`conformance run`: start to first request',
      values: rounds.map(({ run }) => run),
      unit: 'ms',
      target: { most: major < 22 ? 350 : 250 },
    },
    {
      what: 'start to first request ÷ `node -e 0`',
      values: rounds.map(({ run, nothing }) => run / nothing),
      unit: '×',
    },
  ];
}

async function measure() {
  const columns = [];
  for (const node of nodes) columns.push({ name: node.name, figures: await figuresOf(node) });
  return formatFiguresByNode(columns);
}

/** The time from the start of a command to its end or to its first request. @type {import('../run.js').Section} */
export const start = {
  title: 'Start',
  about: `The time to the first request is measured from before the start of the process until the bundled reference gateway, in the same process, receives a request. A module that is loaded before the command records the arrival of the request with \`http.server.request.start\` of \`node:diagnostics_channel\`. Node.js 22.1 and later use a compile cache, which the unmeasured first round fills.`,
  measure,
  byNode: true,
};
