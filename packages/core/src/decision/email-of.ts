/** Returns the own property `email` of a parsed body, the default location of the email. */
export function emailOf(body: unknown): unknown {
  const isObject = typeof body === "object" && body !== null;
  return isObject && Object.hasOwn(body, "email") ? (body as { email: unknown }).email : undefined;
}
