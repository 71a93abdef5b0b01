import { looseTextOf } from "../base/platform.js";
import { parseShallowJson } from "../base/shallow-json.js";

/**
 * Parses a body; returns undefined if it is not JSON, or is nested too deeply. `JSON.parse` errors
 * quote the text, so they are discarded.
 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return parseShallowJson(looseTextOf(body));
  } catch {
    return undefined;
  }
}
