import type { WordPart } from './shell.ts';

/** The minimum length of a text in which repetitions are searched, and of the repetitions that are written short. */
const least = 1_000;

/** Matches a letter or a sign that repeats. An awk string and single quotes contain these signs unchanged. */
const run = /([A-Za-z0-9 [\]{}():,.=_-])\1{999,}/g;

/** Replaces each long repetition of one sign by a command that prints it, so that a body of 100 KB stays readable. */
export function formatRuns(parts: readonly WordPart[]): WordPart[] {
  return parts.flatMap((part) =>
    part.kind === 'text' && part.text.length >= least ? split(part.text) : [part],
  );
}

function split(text: string): WordPart[] {
  const parts: WordPart[] = [];
  let done = 0;
  for (const { 0: found, 1: sign = '', index } of text.matchAll(run)) {
    parts.push(
      { kind: 'text', text: text.slice(done, index) },
      { kind: 'expansion', expansion: repeat(sign, found.length) },
    );
    done = index + found.length;
  }
  return [...parts, { kind: 'text' as const, text: text.slice(done) }].filter(
    (part) => part.kind === 'expansion' || part.text !== '',
  );
}

function repeat(sign: string, times: number): string {
  return `$(awk 'BEGIN { while (n++ < ${times}) printf "${sign}" }')`;
}
