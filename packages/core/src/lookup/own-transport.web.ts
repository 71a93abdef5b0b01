import { createFetchTransport } from "./fetch-transport.js";
import type { Transport, TransportSettings } from "./transport.js";

export const TAKES_CA = false;

export function createOwnTransport(settings: TransportSettings): Transport {
  // Not the function itself, which some runtimes call on their global object alone.
  return createFetchTransport(settings, (input, init) => fetch(input, init));
}
