import { RiskGateError } from "@riskgate/core";
import { FEED_KINDS, type FeedKind } from "./feed-options.js";

/** A feed that is published at a URL. */
export interface FeedSource {
  readonly kind: FeedKind;
  /** `https:`, or `http:` on a loopback address or where `allowHttp` is set. */
  readonly url: string;
  /** Name in explanations and of its files: letters, digits, `.`, `_` and `-`; no two alike. */
  readonly name: string;
  /** Where the feed comes from, for the record; default the URL without its query. */
  readonly source?: string;
  /** Licence of the feed, for the record. */
  readonly licence?: string;
  /** Most bytes of the decoded list; default 64 MiB. */
  readonly maxBytes?: number;
}

/** A source after its check. */
export type ResolvedSource = FeedSource & Required<Pick<FeedSource, "source" | "maxBytes">>;

const MAX_BYTES = 64 * 1024 * 1024;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Check the sources of an updater, and take a copy of them.
 *
 * @throws {RiskGateError} CONFIG_INVALID; no message holds a URL, since some carry a licence key.
 */
export function resolveSources(sources: unknown, allowHttp: boolean): ResolvedSource[] {
  if (!Array.isArray(sources)) throw refusal("`feeds` must be an array");
  const names = new Set<string>();
  return sources.map((source: FeedSource, index) => {
    const resolved = resolveSource(source, index, allowHttp);
    const name = resolved.name.toLowerCase();
    if (names.has(name)) throw refusal(`\`feeds[${index}]\` must have a name of its own`);
    names.add(name);
    return resolved;
  });
}

function resolveSource(source: FeedSource, index: number, allowHttp: boolean): ResolvedSource {
  const refuse = (message: string): never => {
    throw refusal(`\`feeds[${index}]\` ${message}`);
  };
  if (typeof source !== "object" || source === null) return refuse("must be an object");
  const { kind, url, name, maxBytes = MAX_BYTES } = source;
  if (!FEED_KINDS.includes(kind)) refuse(`must have a \`kind\` of ${FEED_KINDS.join(", ")}`);
  if (typeof name !== "string" || !NAME.test(name)) {
    refuse("must have a `name` of at most 64 letters, digits, dots, `_` and `-`");
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    refuse("must have a whole number above 0 as `maxBytes`");
  }
  if (typeof url !== "string" || !URL.canParse(url)) return refuse("must have a URL as `url`");
  const { protocol, hostname, origin, pathname, username, password } = new URL(url);
  const isAllowed =
    protocol === "https:" || (protocol === "http:" && (allowHttp || LOOPBACK.test(hostname)));
  if (!isAllowed) refuse("must have an https URL; `allowHttp` permits http");
  if (username !== "" || password !== "") refuse("must have a URL without user and password");
  return { ...source, source: source.source ?? origin + pathname, maxBytes };
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message);
}
