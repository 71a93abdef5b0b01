// Builds the site into `docs/.vitepress/dist`: the reference from docstrings, the pages, `llms.txt`,
// a check of every link within, and a check of what the search finds. `--api` writes the reference only.
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { checkAnchors } from "./anchors.mjs";
import { writeApi } from "./api.mjs";
import { writeLlms } from "./llms.mjs";
import { checkSearch, FIRST_PAGES } from "./search.mjs";
import { BASE } from "./site-map.mjs";

const docs = fileURLToPath(new URL("..", import.meta.url));
const out = fileURLToPath(new URL("dist", import.meta.url));

const started = performance.now();
await writeApi();
if (!process.argv.includes("--api")) {
  await build(docs);
  writeLlms(out);
  const pages = checkAnchors(out, BASE);
  await checkSearch(out, FIRST_PAGES);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`site: ${pages} pages in ${seconds} s, every link within leads somewhere`);
}
