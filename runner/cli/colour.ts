/** Whether to set a text in colour that goes to a terminal or elsewhere; the environment decides first, in the usual ways. */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  return isTerminal === true && env.TERM !== 'dumb' && !isCi(env);
}

/** Whether a CI system runs this. */
export function isCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return CI !== undefined && CI !== '' && !isOff(CI);
}

function isOff(value: string): boolean {
  return value === '0' || value === 'false';
}
