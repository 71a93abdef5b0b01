import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import { hmac, hmacKey } from "../base/platform.js";
import { startDeadline } from "../base/time-limit.js";
import { createFetchTransport } from "../lookup/fetch-transport.js";
import { parseJson } from "../lookup/json-body.js";
import { createOwnTransport } from "../lookup/own-transport.js";
import { readConnection, readKey } from "../lookup/service-address.js";
import { type Answer, isSuccess } from "../lookup/transport.js";
import type { BlockChanges, BlockStore, StoredBlock } from "./block-store.js";

export interface ServiceBlockStoreOptions {
  /** URL of the service, with an optional path before `/v1`. */
  readonly baseUrl: string;
  /** Key from `riskgate app key --blocks`, sent as `X-API-Key` to this service only. */
  readonly blocksKey: string;
  /** Time limit for one response, in milliseconds, beyond the time that it waits. Default 5,000. */
  readonly timeoutMs?: number;
  /** Sends requests instead of the built-in connection. */
  readonly fetch?: typeof fetch;
  /** PEM text of certificate authorities to trust instead of the defaults. Not with `fetch`. */
  readonly ca?: string;
  /** Allow plain `http:` URLs for other machines. Default false. */
  readonly allowInsecureHttp?: boolean;
}

/** How long the service waits for a change before it responds. */
const WAIT_SECONDS = 20;

/** More pages than a list has. */
const MAX_PAGES = 1_000;

/** Pause between two requests, so that a service that does not wait is not flooded. */
const PAUSE_MS = 200;

interface Page extends BlockChanges {
  readonly more: boolean;
}

/**
 * Creates a store that reads the blocks of an application from its service, for the option `store` of
 * `createBlockList`. Only responses of playbooks and operators change it. Accounts are digests by the
 * key.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option, without the key.
 */
export function createServiceBlockStore(options: ServiceBlockStoreOptions): BlockStore {
  const settings = readOptions("createServiceBlockStore", options, (reader) => ({
    ...readConnection(reader, 5_000),
    blocksKey: readKey(reader, "blocksKey"),
  }));
  const { origin, basePath, timeoutMs, blocksKey, ca, fetch } = settings;
  const transportSettings = {
    origin,
    headers: {
      "x-api-key": blocksKey,
      accept: "application/json",
      prefer: `wait=${WAIT_SECONDS}`,
    },
    maxConnections: 1,
    connectTimeoutMs: timeoutMs,
    ca,
    redact: (text: string) => text.replaceAll(blocksKey, "[redacted]"),
  };
  const transport = fetch
    ? createFetchTransport(transportSettings, fetch)
    : createOwnTransport(transportSettings);
  const digestKey = hmacKey(blocksKey);

  const read = async (cursor: string | undefined, signal: AbortSignal): Promise<Page> => {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const exchange = transport.send({ path: `${basePath}/v1/blocks${query}` }, false);
    const cancel = (): void => exchange.cancel();
    const stop = startDeadline(1_000 * WAIT_SECONDS + timeoutMs, cancel);
    signal.addEventListener("abort", cancel);
    try {
      return pageOf(await exchange.answer);
    } finally {
      stop();
      signal.removeEventListener("abort", cancel);
    }
  };

  return {
    everyMs: PAUSE_MS,
    digestOf: (mailbox) => hmac(digestKey, `mailbox ${mailbox}`, "base64url").slice(0, 22),
    async changes(cursor, signal) {
      const blocks: StoredBlock[] = [];
      let page: Page | undefined;
      for (let pages = 0; pages < MAX_PAGES && page?.more !== false; pages++) {
        const next = await read(page?.cursor ?? cursor, signal);
        blocks.push(...next.blocks);
        // If a page of changes is followed by the whole list, the caller applies both in this order.
        page = next;
      }
      return { cursor: page?.cursor ?? "", isComplete: page?.isComplete ?? false, blocks };
    },
  };
}

/** @throws {RiskGateError} The status's error, or INVALID_RESPONSE. */
function pageOf({ status, body }: Answer): Page {
  if (status === 401 || status === 403) {
    throw new RiskGateError("UNAUTHORIZED", `expected the blocks, given status ${status}`, {
      status,
      hint: "Check `blocksKey`: the service does not accept it for blocks",
    });
  }
  if (!isSuccess(status)) {
    const code = status >= 300 && status < 400 ? "REDIRECT_REFUSED" : "UPSTREAM_STATUS";
    throw new RiskGateError(code, `expected the blocks, given status ${status}`, { status });
  }
  const { cursor, isComplete, more, blocks } = (parseJson(body) ?? {}) as Partial<
    Record<keyof Page, unknown>
  >;
  if (typeof cursor !== "string" || !Array.isArray(blocks) || !blocks.every(isBlock)) {
    throw new RiskGateError("INVALID_RESPONSE", "expected a page of blocks", {
      status,
      hint: "Check that `baseUrl` is a service of the same version",
    });
  }
  return { cursor, isComplete: isComplete === true, more: more === true, blocks };
}

function isBlock(value: unknown): value is StoredBlock {
  const { target, forMs } = (value ?? {}) as Partial<Record<keyof StoredBlock, unknown>>;
  return typeof target === "string" && typeof forMs === "number" && forMs >= 0;
}
