// `npm run check:lint` runs this script. The script prints the place of each word that this project replaces with a
// plainer word. If the script finds such a word, the script exits with 1. IDs, such as `stream/held-back`, are
// permanent and not checked.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const words =
  /(?<![-/\w])(?:is told|tells of|[Ss]peaks? of|(?:became|become|comes|came) of|blamed|owes?|[Ss]omebody|[Nn]obody|[Ww]here nothing|[Ii]n the place of|now and then|oddit(?:y|ies))(?![-/\w])/g;

const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.js', '*.yaml', '*.yml'], {
  encoding: 'utf8',
});
const found = files
  .split('\n')
  .filter((path) => existsSync(path) && path !== 'check-words.js')
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(words)].map(
          ([word]) => `${path}:${index + 1}: "${word}" in: ${line.trim().slice(0, 100)}`,
        ),
      ),
  );
console.log(found.join('\n'));
process.exitCode = found.length === 0 ? 0 : 1;
