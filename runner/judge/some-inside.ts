/** Whether any value inside a value of JSON, itself included, passes the test; how deep and how long it is, is no matter. */
export function someInside(value: unknown, test: (item: unknown) => boolean): boolean {
  // No recursion, and no call with all of a list: both end where the stack does.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (test(item)) return true;
    if (typeof item !== 'object' || item === null) continue;
    const members: readonly unknown[] = Array.isArray(item) ? item : Object.values(item);
    for (const member of members) open.push(member);
  }
  return false;
}
