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

module.exports = {
  hooks: {
    /**
     * Removes what only the workspace uses from a manifest that `pack` or `publish` writes.
     *
     * @param {{ exports?: unknown, devDependencies?: object }} manifest
     */
    beforePacking(manifest) {
      const packed = { ...manifest, exports: withoutSources(manifest.exports) };
      delete packed.devDependencies;
      return packed;
    },
  },
};
