import type { OptionReader } from "@riskgate/core/adapter";
import { type FeedKind, kindOf } from "./feed-options.js";

/** A feed that is published at a URL. */
export interface FeedSource {
  readonly kind: FeedKind;
  /** `https:`, or `http:` on a loopback address or if `allowHttp` is set. */
  readonly url: string;
  /** Name in explanations and of its files: letters, digits, `.`, `_` and `-`; no two alike. */
  readonly name: string;
  /** Origin of the feed, for the record; default the URL without its query. */
  readonly source?: string;
  /** Licence of the feed, for the record. */
  readonly licence?: string;
  /** Maximum size of the decoded list, in bytes; default 64 MiB. */
  readonly maxBytes?: number;
}

export type ResolvedSource = FeedSource & Required<Pick<FeedSource, "source" | "maxBytes">>;

const MAX_BYTES = 64 * 1024 * 1024;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Validates and copies an updater's sources.
 *
 * @throws {RiskGateError} CONFIG_INVALID; messages never contain a URL, because some include a
 * licence key.
 */
export function resolveSources(options: OptionReader, allowHttp: boolean): ResolvedSource[] {
  const groups = options.groups("feeds") ?? options.refuse("feeds", "a list", undefined);
  const names = new Set<string>();
  return groups.map((group) => {
    const source = resolveSource(group, allowHttp);
    const name = source.name.toLowerCase();
    if (names.has(name)) group.refuse("name", "different from every other name", source.name);
    names.add(name);
    return source;
  });
}

function resolveSource(options: OptionReader, allowHttp: boolean): ResolvedSource {
  const kind = kindOf(options);
  const name = options.string("name");
  const url = options.value("url");
  const source = options.string("source");
  const licence = options.string("licence");
  const maxBytes = options.integer("maxBytes", MAX_BYTES);
  if (name === undefined || !NAME.test(name)) {
    return options.refuse("name", "at most 64 letters, digits, dots, `_` and `-`", name);
  }
  if (typeof url !== "string" || !URL.canParse(url)) {
    return options.refuseSecret("url", "a URL", url);
  }
  const { protocol, hostname, origin, pathname, username, password } = new URL(url);
  const isAllowed =
    protocol === "https:" || (protocol === "http:" && (allowHttp || LOOPBACK.test(hostname)));
  if (!isAllowed) options.refuseSecret("url", "an https URL (`allowHttp` permits http)", url);
  if (username !== "" || password !== "") {
    options.refuseSecret("url", "a URL without user and password", url);
  }
  return {
    kind,
    name,
    url,
    source: source ?? origin + pathname,
    maxBytes,
    ...(licence !== undefined && { licence }),
  };
}
