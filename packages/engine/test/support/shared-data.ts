import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../../../../shared/data/", import.meta.url);

/** Whether the real lists and databases are at hand; they are no part of the project. */
export const hasSharedData: boolean = existsSync(root);

/** Path of a real list or database. */
export function sharedData(path: string): string {
  return fileURLToPath(new URL(path, root));
}
