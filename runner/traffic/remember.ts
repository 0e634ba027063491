/** Gives what was made for a name before, or makes it. */
export type Remember<Value> = (name: string, make: () => Value) => Value;

/** So many are remembered; when there are more, all are forgotten. */
const most = 1_000;
/** What is made for a longer name is not remembered. */
const longest = 1_000;

/** Gives each name a number of its own, so that what hangs on several names is found by a short one. */
export function makeNumbers(): (name: string) => number {
  const remember = makeRemember<number>();
  let last = 0;
  return (name) =>
    remember(name, () => {
      last += 1;
      return last;
    });
}

/** Remembers what is the same for many exchanges, in bounded memory; what is made must depend on its name alone. */
export function makeRemember<Value>(): Remember<Value> {
  const known = new Map<string, Value>();
  return (name, make) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = make();
    if (name.length > longest) return made;
    if (known.size >= most) known.clear();
    known.set(name, made);
    return made;
  };
}
