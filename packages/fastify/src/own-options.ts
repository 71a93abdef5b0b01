/** Options that Fastify reads itself and hands to the plugin with the others. */
const FASTIFY_OPTIONS = new Set(["prefix", "logLevel", "logSerializers"]);

/** The options of a plugin without those of Fastify. */
export function ownOptions<Options extends object>(given: Options): Options {
  const entries = Object.entries(given).filter(([name]) => !FASTIFY_OPTIONS.has(name));
  return Object.fromEntries(entries) as Options;
}
