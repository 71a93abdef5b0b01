import { pack } from "../pack.mjs";
import { projectsIn } from "../workspace.mjs";

/** Packs every published package into a folder: the specifier of each tarball by package name. */
export async function packed(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await pack(folder);
  return new Map(
    projectsIn("packages")
      .filter(({ published }) => published)
      .map(({ name, manifest }) => [
        manifest.name,
        `file:${files.find((path) => path.includes(`riskgate-${name}-`))}`,
      ]),
  );
}
