/** Options that Fastify reads itself and also passes to the plugin. */
const FASTIFY_OPTIONS = new Set(["prefix", "logLevel", "logSerializers"]);

/** Returns the plugin's options without Fastify's. */
export function ownOptions<Options extends object>(given: Options): Options {
  const entries = Object.entries(given).filter(([name]) => !FASTIFY_OPTIONS.has(name));
  return Object.fromEntries(entries) as Options;
}
