/** Guarded by `proxy.ts`. */
export const GET = (): Response => Response.json({ account: "ada" });
