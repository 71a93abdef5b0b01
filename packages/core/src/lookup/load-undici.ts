import type * as Undici from "undici";

/**
 * Loads undici when the first client is created: it takes more time and memory than the rest of the
 * package. In an ES module bundled by esbuild, undici cannot load Node's modules and throws. The
 * copy installed with this package is then loaded instead.
 */
export async function loadUndici(): Promise<typeof Undici> {
  try {
    return await import("undici");
  } catch {
    // Webpack cannot parse a call of an imported `createRequire`, and warns.
    const { createRequire } = process.getBuiltinModule("node:module");
    const core = createRequire(import.meta.url).resolve("@riskgate/core");
    return createRequire(core)("undici") as typeof Undici;
  }
}
