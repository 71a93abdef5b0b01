import { readAnyBody as readWith } from "@riskgate/core/web";

/**
 * Reads the text or the bytes of a body for a gate: as JSON, as a form and as a multipart form, whatever
 * its type says. The gate judges every email that one of these readings has.
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
