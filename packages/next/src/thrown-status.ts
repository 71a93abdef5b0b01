const REDIRECT = /^NEXT_REDIRECT;.*;(30[378]);$/s;

const FALLBACK = /^NEXT_HTTP_ERROR_FALLBACK;(4\d\d)$/;

/**
 * Returns the status with which Next.js answers an error: `redirect()`, `notFound()`,
 * `unauthorized()` and `forbidden()` throw errors with a digest; for all others it is 500.
 */
export function statusOfThrown(thrown: unknown): number {
  const digest: unknown = (thrown as { readonly digest?: unknown } | null | undefined)?.digest;
  if (typeof digest !== "string") return 500;
  // Next.js 14 has a separate digest.
  if (digest === "NEXT_NOT_FOUND") return 404;
  return Number((REDIRECT.exec(digest) ?? FALLBACK.exec(digest))?.[1] ?? 500);
}
