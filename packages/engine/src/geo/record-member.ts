/** Path to a member of a record, outermost name first. */
export type MemberPath = readonly string[];

function memberAt(record: unknown, path: MemberPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    record,
  );
}

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
