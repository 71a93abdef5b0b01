// Hooks of pnpm, named in pnpm-workspace.yaml.

/** Lets tests and tools load sources without a build. Applications must not match it. */
const SOURCE_CONDITION = "riskgate-source";

/** @param {unknown} node @returns {unknown} */
function withoutSources(node) {
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([condition]) => condition !== SOURCE_CONDITION)
      .map(([condition, target]) => [condition, withoutSources(target)]),
  );
}

/**
 * Maps each subpath to its declarations for TypeScript with `moduleResolution: node`, which does not
 * read `exports`. It would take the types of our subpaths as `any`, without an error in an
 * application with `skipLibCheck`.
 *
 * @param {Exports} exports
 */
function typesOfSubpaths(exports) {
  /** @type {Record<string, string[]>} */
  const types = {};
  for (const [subpath, target] of Object.entries(exports)) {
    const declarations = typeof target === "string" ? undefined : target.require?.types;
    if (subpath !== "." && declarations !== undefined) types[subpath.slice(2)] = [declarations];
  }
  return Object.keys(types).length === 0 ? {} : { typesVersions: { "*": types } };
}

/** @typedef {Record<string, string | { require?: { types: string } }>} Exports */

module.exports = {
  hooks: {
    /**
     * Removes what only the workspace uses from a manifest that `pack` or `publish` writes, and adds
     * what only older compilers read.
     *
     * @param {{ exports?: Record<string, any>, devDependencies?: object }} manifest
     */
    beforePacking(manifest) {
      const exports = /** @type {Exports | undefined} */ (manifest.exports) ?? {};
      const packed = {
        ...manifest,
        exports: withoutSources(exports),
        ...typesOfSubpaths(exports),
      };
      delete packed.devDependencies;
      return packed;
    },
  },
};
