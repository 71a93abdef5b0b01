import { createFetchTransport } from "./fetch-transport.js";
import type { Transport, TransportSettings } from "./transport.js";
import { createUndiciTransport } from "./undici-transport.js";

/** Whether certificates can be trusted that the runtime does not know. */
export const TAKES_CA: boolean = !("Bun" in globalThis);

/** Send requests with what is best in this runtime. */
export function createOwnTransport(settings: TransportSettings): Transport {
  // Bun replaces undici with a part of it, without connections of one's own.
  return TAKES_CA ? createUndiciTransport(settings) : createFetchTransport(settings, fetch);
}
