// `npm run check:words`: words that this project does not use, in texts and names, since plainer ones exist.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const words =
  /\b(?:[Tt]ells?|[Tt]old|telling|[Hh]olds?|[Hh]olding|[Hh]eld|[Ss]peaks?|spoken|owes?|owed|blamed?|[Ss]omebody|[Nn]obody|[Ww]hoever|[Bb]eside|[Bb]ehind(?! a (?:reverse )?proxy)|oddit(?:y|ies))\b|\b(?:became|become|comes|came) of\b|\b[Ii]n the place of\b|\bnow and then\b|\b[Aa]t once\b|\bany ?more\b|\bis none\b|\b[Ww]here nothing\b|\b(?:is|are) due\b|\bfor want of\b|\b(?:keeps?|breaks?|broke|broken) (?:a|the) (?:clause|requirement)s?\b|\b(?:tell|hold|word|bear|owe|gather)[A-Z]\w*/g;

/** Places where one of the words is right: a file's path and the text around the word. At most 10. */
const allowed = [];

const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.js', '*.yaml', '*.yml'], {
  encoding: 'utf8',
});
const found = files
  .split('\n')
  .filter((path) => path !== '' && path !== 'check-words.js')
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
