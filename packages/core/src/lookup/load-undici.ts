import { createRequire } from "node:module";
import type * as Undici from "undici";

/**
 * Loads undici, for the first client: it costs more time and memory than the rest of the package.
 *
 * In an ES module that esbuild bundled, undici cannot load the modules of Node and throws. The copy
 * that is installed with this package is loaded instead.
 */
export async function loadUndici(): Promise<typeof Undici> {
  try {
    return await import("undici");
  } catch {
    const core = createRequire(import.meta.url).resolve("@riskgate/core");
    return createRequire(core)("undici") as typeof Undici;
  }
}
