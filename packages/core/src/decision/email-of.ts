/** The own property `email` of a parsed body: where an adapter looks unless it is told otherwise. */
export function ownEmail(body: unknown): unknown {
  const isObject = typeof body === "object" && body !== null;
  return isObject && Object.hasOwn(body, "email") ? (body as { email: unknown }).email : undefined;
}
