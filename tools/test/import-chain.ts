import { posix } from "node:path";
import { nameOf, statementsOf, visit } from "./syntax.js";
import type { TrackedFile } from "./tracked-source.js";

/** Maps each file to the files that it imports by a relative path, type imports included. */
export function importsOf(files: readonly TrackedFile[]): Map<string, readonly string[]> {
  const paths = new Set(files.map(({ path }) => path));
  const resolve = (from: string, specifier: string): string[] => {
    const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, "");
    return [`${target}.ts`, `${target}.tsx`].filter((path) => paths.has(path));
  };
  return new Map(
    files.map((file) => [
      file.path,
      specifiersIn(file)
        .filter((specifier) => specifier.startsWith("."))
        .flatMap((specifier) => resolve(file.path, specifier)),
    ]),
  );
}

function specifiersIn(file: TrackedFile): string[] {
  const specifiers = new Set<string>();
  visit(statementsOf(file), undefined, ({ source }) => {
    const specifier = nameOf(source);
    if (specifier !== undefined) specifiers.add(specifier);
  });
  return [...specifiers];
}

/** Returns the longest path of imports that begins at one of the files. Cycles are not allowed. */
export function longestChain(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const chainFrom = (path: string): readonly string[] => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const chain = [path, ...longest((imports.get(path) ?? []).map(chainFrom))];
    known.set(path, chain);
    return chain;
  };
  return longest([...imports.keys()].map(chainFrom));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}
