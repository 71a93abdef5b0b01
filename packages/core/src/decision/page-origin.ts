import type { OptionReader } from "../base/options.js";
import { warn } from "../base/warning.js";
import type { RequestHead } from "./gated-request.js";

/**
 * Returns true if a page of another origin may have made the browser send the request. A script
 * that is not in a browser can send any headers, so this is never evidence against a client.
 */
export type CrossSiteCheck = (head: Pick<RequestHead, "headers">) => boolean;

/** If this many requests come from pages of other origins before any other page, one is ours. */
const FIRST_REQUESTS = 50;

const DEFAULT_PORT = /:(?:80|443)$/;

/**
 * Reads the option `trustedOrigins`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an entry that is not an origin.
 */
export function readCrossSite(options: OptionReader): CrossSiteCheck {
  const given = (options.list("trustedOrigins") ?? []).map(
    (entry, position) =>
      originIn(entry) ??
      options.refuse(
        `trustedOrigins[${position}]`,
        'an origin such as "https://example.com"',
        entry,
      ),
  );
  const trusted: ReadonlySet<string> = new Set(given);
  let unknown = 0;
  return ({ headers }) => {
    const { origin } = headers;
    const isForeign = isFromElsewhere(headers, trusted);
    if (origin === undefined || unknown === FIRST_REQUESTS) return isForeign;
    unknown = isForeign ? unknown + 1 : FIRST_REQUESTS;
    const page = unknown === FIRST_REQUESTS && isForeign ? originIn(origin) : undefined;
    if (page !== undefined) {
      warn(
        "RISKGATE_FOREIGN_ORIGIN",
        `the first ${FIRST_REQUESTS} requests came from pages of other origins, the last one of ${page}. If it is yours, set \`trustedOrigins\``,
      );
    }
    return isForeign;
  };
}

function isFromElsewhere(headers: RequestHead["headers"], trusted: ReadonlySet<string>): boolean {
  const site = headers["sec-fetch-site"];
  // Set by the browser. Pages cannot change it, and proxies do not rewrite it as they do Host.
  if (site === "same-origin" || site === "none") return false;
  const { origin } = headers;
  if (typeof origin === "string" && trusted.has(origin)) return false;
  if (site !== undefined) return true;
  const host = headers.host ?? headers[":authority"];
  if (origin === undefined || host === undefined) return false;
  const page = String(origin).replace(/^[^:]*:\/\//, "");
  return page.replace(DEFAULT_PORT, "") !== String(host).toLowerCase().replace(DEFAULT_PORT, "");
}

/** Returns the text if it is an origin as browsers send it. */
function originIn(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  return new URL(value).origin === value ? value : undefined;
}
