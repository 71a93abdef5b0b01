/** Names that lead to a member of a record, outermost first. */
export type MemberPath = readonly string[];

/** Reads an own member of a MaxMind DB record, which may hold any value; undefined if it is missing. */
function memberAt(record: unknown, path: MemberPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    record,
  );
}

/** Reads the first member, in the order of the paths, that `read` accepts. */
export function firstMember<T>(
  record: unknown,
  paths: readonly MemberPath[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const path of paths) {
    const value = read(memberAt(record, path));
    if (value !== undefined) return value;
  }
  return undefined;
}
