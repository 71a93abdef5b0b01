/** Returns the texts of `user_identifiers`; the members of an object each identify the same user. */
export function identifiersIn(users: readonly unknown[]): readonly string[] {
  const values = users.flatMap((user): unknown[] =>
    typeof user === "object" && user !== null ? Object.values(user) : [user],
  );
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}
