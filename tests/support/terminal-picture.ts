import { columnsOf } from '../../common/wrap.ts';

/** Sizes in pixels: of a character, of a line, and of the space around the text. */
const advance = 7.8;
const lineHeight = 18.5;
const padding = 20;

const styleSheet = `
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre; }
rect { fill: #f6f8fa; stroke: #d1d9e0; }
.bold { font-weight: 600; }
.dim { fill: #59636e; }
.red { fill: #cf222e; }
.green { fill: #1a7f37; }
.yellow { fill: #9a6700; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  rect { fill: #151b23; stroke: #3d444d; }
  .dim { fill: #9198a1; }
  .red { fill: #ff7b72; }
  .green { fill: #3fb950; }
  .yellow { fill: #d29922; }
}`;

interface Style {
  readonly weight: string;
  readonly colour: string;
}

/** What each code of a terminal changes. */
const changes: ReadonlyMap<string, Partial<Style>> = new Map([
  ['1', { weight: 'bold' }],
  ['2', { weight: 'dim' }],
  ['22', { weight: '' }],
  ['31', { colour: 'red' }],
  ['32', { colour: 'green' }],
  ['33', { colour: 'yellow' }],
  ['39', { colour: '' }],
]);

/**
 * Draws the output of a command on a terminal, with its colours, as an SVG. Throws if the output has a style that
 * the picture doesn't know. Texts that are two or more spaces apart
 * have their own place and width, so that columns stay aligned in any font.
 */
export function drawTerminal(output: string, title: string, columns: number): string {
  const lines = output.trimEnd().split('\n');
  let style: Style = { weight: '', colour: '' };
  const drawLine = (line: string, row: number): string => {
    let column = 0;
    const [before = '', ...parts] = line.split('\x1b[');
    return [`39m${before}`, ...parts]
      .flatMap((part) => {
        const [, code = '', text = ''] = /^(\d+)m(.*)$/.exec(part) ?? [];
        const change = changes.get(code);
        if (change === undefined) throw new Error(`The picture has no style for "${part}".`);
        style = { ...style, ...change };
        return text.split(/( {2,}|^ +| +$)/).map((piece) => {
          const place = { row, column };
          column += columnsOf(piece);
          return piece.trim() === '' ? '' : drawPiece(piece, place, style);
        });
      })
      .join('');
  };
  const width = Math.ceil(columns * advance + 2 * padding);
  const height = Math.ceil(lines.length * lineHeight + 2 * padding - 4);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<style>${styleSheet}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${lines.map(drawLine).filter(Boolean).join('\n')}
</svg>
`;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function drawPiece(
  text: string,
  { row, column }: { readonly row: number; readonly column: number },
  { weight, colour }: Style,
): string {
  const round = (value: number): number => Math.round(value * 10) / 10;
  const place = `x="${round(padding + column * advance)}" y="${round(padding + 10 + row * lineHeight)}"`;
  const classes = [weight, colour].filter(Boolean).join(' ');
  const look = classes && ` class="${classes}"`;
  const size = `textLength="${round(columnsOf(text) * advance)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place}${look} ${size}>${escapeXml(text)}</text>`;
}
