import { type BodyCopy, type BodyLimits, copyBody } from "@riskgate/web/adapter";
import type { Context } from "hono";

/** Reads a copy of the body, so that the handler can read it in any way. */
export async function copyOf({ req }: Context, limits: BodyLimits): Promise<BodyCopy> {
  const { raw } = req;
  if (!raw.bodyUsed && !raw.body?.locked) return copyBody(raw, limits);
  let body: ArrayBuffer;
  try {
    // Hono caches what a middleware in front has read.
    body = await req.arrayBuffer();
  } catch {
    // The handler gets the same error from Hono.
    return { bytes: new Uint8Array(0) };
  }
  if (body.byteLength <= limits.maxBytes) return { bytes: new Uint8Array(body) };
  // The middleware may have no limit: refused as if it had not been read.
  return copyBody(new Request(raw.url, { method: "POST", body }), limits);
}
