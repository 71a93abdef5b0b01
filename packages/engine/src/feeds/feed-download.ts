import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { RiskGateError } from "@riskgate/core";
import type { Resolve } from "@riskgate/core/address";
import { type FeedResponse, openFeedTransport } from "./feed-transport.js";

export interface FeedRequest {
  readonly url: string;
  /** Validators of the existing copy, as sent by its server. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** Maximum size of the decoded list, in bytes. */
  readonly maxBytes: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly resolve?: Resolve;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

export interface FeedDownload {
  readonly body: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a list unless the existing copy is still current.
 *
 * @returns undefined for a list that has not changed.
 * @throws {RiskGateError} NETWORK, UPSTREAM_STATUS, REDIRECT_REFUSED, RESPONSE_TOO_LARGE,
 *   INVALID_RESPONSE
 */
export async function downloadFeed(request: FeedRequest): Promise<FeedDownload | undefined> {
  const { etag, lastModified, maxBytes } = request;
  const headers = {
    "user-agent": "riskgate",
    // `fetch` accepts a truncated compressed body as complete; an uncompressed one has a known
    // length. Servers that compress anyway are supported.
    "accept-encoding": "identity",
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
  const response = await follow(request, headers);
  const { status } = response;
  const isConditional = etag !== undefined || lastModified !== undefined;
  if (status !== 200) await response.discard();
  if (status === 304 && isConditional) return undefined;
  if (status !== 200) {
    const message = `expected the list, given status ${status}`;
    throw new RiskGateError("UPSTREAM_STATUS", message, { status });
  }
  const body = await decompress(await readBody(response, request), maxBytes);
  const newEtag = response.header("etag");
  const newLastModified = response.header("last-modified");
  return {
    body,
    ...(newEtag !== undefined && { etag: newEtag }),
    ...(newLastModified !== undefined && { lastModified: newLastModified }),
  };
}

async function follow(
  request: FeedRequest,
  headers: Record<string, string>,
): Promise<FeedResponse> {
  const get = openFeedTransport({ ...request, headers });
  const { origin, href } = new URL(request.url);
  let url = new URL(href);
  for (let redirects = 0; ; redirects++) {
    const response = await get(url);
    if (!REDIRECTS.has(response.status)) return response;
    await response.discard();
    const location = response.header("location") ?? "";
    if (redirects === MAX_REDIRECTS) throw redirectRefused("more than 3 redirects");
    if (!URL.canParse(location, url.href)) throw redirectRefused("no URL");
    url = new URL(location, url);
    // Never to plain HTTP, except within a server for which the operator chose plain HTTP.
    if (url.protocol !== "https:" && url.origin !== origin) {
      throw redirectRefused("a URL that is not https");
    }
    if (url.username !== "" || url.password !== "") {
      throw redirectRefused("a URL with user and password");
    }
  }
}

async function readBody(response: FeedResponse, request: FeedRequest): Promise<Buffer> {
  const { maxBytes, onBytes } = request;
  // This is the compressed length, which is never much larger than the decoded one.
  if (Number(response.header("content-length")) > maxBytes) {
    await response.discard();
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the download.
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    onBytes(bytes);
  }
  return Buffer.concat(chunks);
}

/** Decompresses a gzip file; the transfer encoding is already removed. */
async function decompress(body: Buffer, maxBytes: number): Promise<Buffer> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new RiskGateError("INVALID_RESPONSE", "expected a list, given a damaged gzip file", {
      hint: "Open the URL in a browser to see what it serves",
    });
  }
}

function tooLarge(maxBytes: number): RiskGateError {
  return new RiskGateError("RESPONSE_TOO_LARGE", `expected at most ${maxBytes} bytes, given more`, {
    hint: "Check that the URL is the list, or raise `maxBytes` of the feed",
  });
}

function redirectRefused(given: string): RiskGateError {
  const message = `expected the list, or a redirect to an https URL, given ${given}`;
  return new RiskGateError("REDIRECT_REFUSED", message, {
    hint: "Set `url` of the feed to the final address",
  });
}
