import { createRequire } from "node:module";
import type * as Undici from "undici";

/**
 * Load undici, for the first client: it costs more time and memory than the rest of the package together.
 *
 * esbuild bundles undici into an ES module in a form that cannot load the modules of Node and
 * throws. Then the one that is installed with this package is loaded instead.
 */
export async function loadUndici(): Promise<typeof Undici> {
  try {
    return await import("undici");
  } catch {
    const core = createRequire(import.meta.url).resolve("@riskgate/core");
    return createRequire(core)("undici") as typeof Undici;
  }
}
