import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RiskGateError } from "@riskgate/core";
import {
  createSystemResolve,
  DESTINATION_BLOCKED,
  destinationOf,
  guardedLookup,
  isPublicDestination,
  type Resolve,
} from "@riskgate/core/address";

export interface FeedTransportSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly resolve?: Resolve;
  /** Sends the requests instead; then only IP addresses in URLs are checked. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Sends the requests of one download, and follows no redirect. The first goes to the operator's
 * URL. Each later request must go to public addresses, or to addresses of the same kind as the
 * first, so that a list's server cannot direct requests at this machine or its network.
 * @throws {RiskGateError} REDIRECT_REFUSED
 */
export type FeedTransport = (url: URL) => Promise<FeedResponse>;

/** A response whose body must be iterated at least partly, or discarded. */
export interface FeedResponse {
  readonly status: number;
  /** Returns a header by its lowercase name; undefined if it is missing. */
  header(name: string): string | undefined;
  /** The body without its transfer encoding. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

type Reach = "public" | "machine" | "link" | "private";

const systemResolve = createSystemResolve();

export function openFeedTransport(settings: FeedTransportSettings): FeedTransport {
  const { headers, signal, fetch, resolve = systemResolve } = settings;
  let home: Reach | undefined;

  return async (url) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isFirst = home === undefined;
    const isPermitted = (ip: string): boolean =>
      isFirst || isPublicDestination(ip) || reachOf(ip) === home;
    if (isIP(host) !== 0) {
      home ??= reachOf(host);
      if (!isPermitted(host)) throw blocked();
    }
    if (fetch) {
      home ??= "public";
      return fetched(await fetch(url.href, { headers, redirect: "manual", signal }));
    }
    const resolveHere: Resolve = async (name) => {
      const addresses = await resolve(name);
      home ??= commonReach(addresses.map(({ address }) => address));
      return addresses;
    };
    try {
      // Connects to exactly the addresses that were checked, because a name may resolve
      // differently.
      return await send(url, { headers, signal, lookup: guardedLookup(resolveHere, isPermitted) });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === DESTINATION_BLOCKED ? blocked() : error;
    }
  };
}

function reachOf(ip: string): Reach {
  if (isPublicDestination(ip)) return "public";
  const real = destinationOf(ip) ?? "";
  if (real === "::1" || real.startsWith("127.")) return "machine";
  return /^(?:169\.254\.|fe[89ab])/.test(real) ? "link" : "private";
}

/** A name with addresses of several kinds permits no redirects to any of them. */
function commonReach(ips: readonly string[]): Reach {
  const [first = "public", ...others] = new Set(ips.map(reachOf));
  return others.length === 0 ? first : "public";
}

function blocked(): RiskGateError {
  const message = "the redirect leads to an address that is not public";
  return new RiskGateError("REDIRECT_REFUSED", message, {
    hint: "Set `url` of the feed to the final address if it is yours",
  });
}

type RequestSettings = Required<Pick<RequestOptions, "lookup">> &
  Pick<FeedTransportSettings, "headers" | "signal">;

function send(url: URL, settings: RequestSettings): Promise<FeedResponse> {
  const request = url.protocol === "http:" ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    request(url, { ...settings, agent: false, rejectUnauthorized: true })
      .on("response", (message: IncomingMessage) => resolve(received(message)))
      .on("error", reject)
      .end();
  });
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  "x-gzip": createGunzip,
};

function received(message: IncomingMessage): FeedResponse {
  return {
    status: message.statusCode!,
    header: (name) => message.headers[name]?.toString(),
    get body() {
      return decoded(message);
    },
    discard: async () => void message.destroy(),
  };
}

function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers["content-encoding"]?.toLowerCase() ?? "";
  if (!Object.hasOwn(DECODERS, encoding)) return message;
  // A failure of either ends the body, and so its reader.
  return pipeline(message, DECODERS[encoding]!(), () => {});
}

function fetched({ status, headers, body }: Response): FeedResponse {
  return {
    status,
    header: (name) => headers.get(name) ?? undefined,
    body: (body ?? []) as AsyncIterable<Uint8Array>,
    async discard() {
      await body?.cancel().catch(() => {
        // The result is known, so a server failure can be ignored.
      });
    },
  };
}
