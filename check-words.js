// `npm run check:lint` runs this script. The script prints the place of each word that this project replaces with a
// plainer word. If the script finds such a word, the script exits with 1. IDs, such as `stream/held-back`, are
// permanent and not checked.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const words =
  /(?<![-/\w])(?:[Tt]ells?|[Tt]old|telling|[Ss]peaks?|spoken|owes?|owed|blamed?|[Ss]omebody|[Nn]obody|[Ww]hoever|[Bb]eside|[Bb]ehind(?! a (?:reverse )?proxy)|oddit(?:y|ies)|(?:became|become|comes|came) of|[Ii]n the place of|now and then|[Oo]nes? that|[Aa]t once|any ?more|is none|[Ww]here nothing|(?:is|are) due|for want of|(?:keeps?|breaks?|broke|broken) (?:a|the) (?:clause|requirement)s?|(?:tell|word|bear|owe|gather)[A-Z]\w*)(?![-/\w])/g;

/** Places where one of the words is correct: the path of the file and a part of the line. At most 10 places. */
const allowed = [['common/wrap.ts', 'wordWrap: ']];

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
        [...line.matchAll(words)]
          .filter(() => !allowed.some(([file, text]) => file === path && line.includes(text)))
          .map(([word]) => `${path}:${index + 1}: "${word}" in: ${line.trim().slice(0, 100)}`),
      ),
  );
console.log(found.join('\n'));
process.exitCode = found.length === 0 ? 0 : 1;
