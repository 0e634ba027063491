/** Characters in a line of stdout; infinitely many where it is no terminal, so that nothing is wrapped in a pipe. */
export function stdoutWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** The same of stderr. */
export function stderrWidth(): number {
  return process.stderr.columns || Number.POSITIVE_INFINITY;
}
