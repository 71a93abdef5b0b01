import { createFetchTransport } from "./fetch-transport.js";
import type { Transport, TransportSettings } from "./transport.js";

export const TAKES_CA = false;

export function createOwnTransport(settings: TransportSettings): Transport {
  // Wrapped, because some runtimes require `fetch` to be called on the global object.
  return createFetchTransport(settings, (input, init) => fetch(input, init));
}
