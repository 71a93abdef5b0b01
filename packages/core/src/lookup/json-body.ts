import { looseTextOf } from "../base/platform.js";

/**
 * Parses a body; returns undefined if it is not JSON. The error of `JSON.parse` quotes the text, so it
 * is not passed on.
 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(looseTextOf(body));
  } catch {
    return undefined;
  }
}
