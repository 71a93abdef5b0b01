import { createFetchTransport } from "./fetch-transport.js";
import type { Transport, TransportSettings } from "./transport.js";
import { createUndiciTransport } from "./undici-transport.js";

/** True if the client can trust certificate authorities that the runtime does not know. */
export const TAKES_CA: boolean = !("Bun" in globalThis);

export function createOwnTransport(settings: TransportSettings): Transport {
  // Bun replaces undici with a partial implementation that has no separate connections.
  return TAKES_CA ? createUndiciTransport(settings) : createFetchTransport(settings, fetch);
}
