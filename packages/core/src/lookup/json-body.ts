import { looseTextOf } from "../base/platform.js";

/**
 * Parses a body; returns undefined if it is not JSON. `JSON.parse` errors quote the text, so they
 * are not passed on.
 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(looseTextOf(body));
  } catch {
    return undefined;
  }
}
