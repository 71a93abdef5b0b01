import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import { BASE } from "./site-map.mjs";

/** How the site searches, in addition to VitePress's own settings. */
export const SEARCH = {
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    // A word and its plural are worth nearly the same.
    weights: { fuzzy: 0.45, prefix: 0.9 },
    boost: { title: 4, text: 2, titles: 1 },
    /**
     * A page about a word comes before a section about it in another page.
     *
     * @param {unknown} _id
     * @param {string} _term
     * @param {{ titles?: unknown } | undefined} stored
     */
    boostDocument: (_id, _term, stored) =>
      Array.isArray(stored?.titles) && stored.titles.length === 0 ? 2 : 1,
  },
};

/** The page that a search for each word must show first. */
export const FIRST_PAGES = {
  idempotency: "/idempotency.html",
  upgrade: "/upgrading.html",
  Docker: "/docker.html",
  GDPR: "/privacy.html",
  nginx: "/recipes/nginx.html",
  glossary: "/concepts.html",
  threshold: "/tuning.html",
  replay: "/idempotency.html",
};

/**
 * Searches a built site as its search box does, and compares the first result for each word.
 *
 * @param {string} out Folder of the built site.
 * @param {Readonly<Record<string, string>>} firstPages
 * @throws {Error} That lists the words that show another page first.
 */
export async function checkSearch(out, firstPages) {
  const search = await openIndex(out);
  const wrong = Object.entries(firstPages).flatMap(([word, page]) => {
    const found = search(word).slice(0, 5);
    if (found[0]?.replace(/#.*/, "") === BASE + page.slice(1)) return [];
    return [`${word}: expected ${page}, found ${found.join(", ") || "nothing"}`];
  });
  if (wrong.length > 0)
    throw new Error(`searches that show another page first:\n${wrong.join("\n")}`);
}

/**
 * Opens the search index of a built site.
 *
 * @param {string} out
 * @returns {Promise<(word: string) => string[]>} Returns the paths found, the best first.
 */
async function openIndex(out) {
  const chunks = join(out, "assets/chunks");
  const file = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex"));
  if (file === undefined) throw new Error("the site has no search index");
  const chunk = /** @type {{ default: string }} */ (
    await import(pathToFileURL(join(chunks, file)).href)
  );
  const index = MiniSearch.loadJSON(chunk.default, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    ...SEARCH,
  });
  return (word) => index.search(word).map(({ id }) => String(id));
}
