import { readAnyBody as readWith } from "@riskgate/core/web";

/**
 * Reads a body's text or bytes for a gate, as JSON, form and multipart form, whatever its type. The
 * gate evaluates every email found in any of these ways.
 *
 * @example
 * const body = readAnyBody(await request.clone().text(), request);
 * const passed = await guard(request, { remoteAddress, body });
 */
export function readAnyBody(
  body: string | Uint8Array | undefined,
  request: Pick<Request, "headers">,
): unknown {
  return readWith(body, {
    headers: { "content-type": request.headers.get("content-type") ?? undefined },
  });
}
