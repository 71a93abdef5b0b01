// Packs every published package into a folder, and prints one line.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pack } from "./pack.mjs";

const folder = resolve(process.argv[2] ?? "tarballs");
mkdirSync(folder, { recursive: true });
console.log(`pack: ${(await pack(folder)).length} tarballs in ${folder}`);
