import { setupVariable } from '../../profile/setup.ts';
import type { PreparationReport, RequestReport } from '../report.ts';
import { quoteWord } from './shell.ts';

type FormatRequest = (request: RequestReport, show: 'response' | 'body') => string;

/** Returns the shell commands that make the changes and send the requests before an exchange, one a line. */
export function formatSequence(before: readonly PreparationReport[], curl: FormatRequest): string[] {
  const lines: string[] = [];
  let isUnderWay = false;
  for (const item of before) {
    if (item.kind === 'request' && item.underWay !== undefined) {
      const calls = Array.from({ length: item.underWay }, (_, index) => index + 1).join(' ');
      lines.push(`for call in ${calls}; do ${curl(item.request, 'response')} > /dev/null & done`);
      isUnderWay = true;
      continue;
    }
    lines.push(...(item.kind === 'request' ? [curl(item.request, 'response')] : formatSetup(item, curl)));
    if (isUnderWay) lines.push('wait');
    isUnderWay = false;
  }
  return lines;
}

function formatSetup(
  { action, request, values }: PreparationReport & { readonly kind: 'setup' },
  curl: FormatRequest,
): string[] {
  const names = Object.entries(values).filter(([name]) => /^\w+$/.test(name));
  // A report is no reason to run a command, so the reader runs it.
  if (request === null)
    return [
      ask(
        action,
        names.map(([name]) => name),
      ),
    ];
  if (names.length === 0) return [curl(request, 'response')];
  return [
    `CREATED=$(${curl(request, 'body')})`,
    ...names.map(([name, pointer]) => `${setupVariable(name)}=$(node -p ${scriptOf(pointer)} "$CREATED")`),
  ];
}

function ask(action: string, names: readonly string[]): string {
  const run = `Run the command of setup.${action} in the profile`;
  if (names.length === 0) return `echo ${text(`${run}, then press Enter.`)}; read -r REPLY`;
  return names
    .flatMap((name, index) => [
      `echo ${text(index === 0 ? `${run}, then enter the value "${name}" of the created key.` : `Enter "${name}".`)}`,
      `read -r ${setupVariable(name)}`,
    ])
    .join('; ');
}

/** Returns the quoted JavaScript that reads the value at a JSON pointer in the first argument. */
function scriptOf(pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) =>
      /^[A-Za-z_]\w*$/.test(name)
        ? `.${name}`
        : /^\d{1,6}$/.test(name)
          ? `[${name}]`
          : `[${JSON.stringify(name)}]`,
    );
  return text(`JSON.parse(process.argv[1])${path.join('')}`);
}

function text(content: string): string {
  return quoteWord([{ kind: 'text', text: content }]);
}
