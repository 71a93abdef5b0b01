import { createFetchTransport } from "./fetch-transport.js";
import type { Transport, TransportSettings } from "./transport.js";
import { createUndiciTransport } from "./undici-transport.js";

/** True if the client can trust certificate authorities that the runtime does not know. */
export const TAKES_CA: boolean = !("Bun" in globalThis);

/** Makes the best transport of this runtime. */
export function createOwnTransport(settings: TransportSettings): Transport {
  // Bun replaces undici with a part of it that has no separate connections.
  return TAKES_CA ? createUndiciTransport(settings) : createFetchTransport(settings, fetch);
}
