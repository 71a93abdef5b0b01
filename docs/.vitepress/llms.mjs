import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BASE, linkTo, packages, readPage, siteMap } from "./site-map.mjs";

/**
 * Write `llms.txt`, a table of contents for language models, and `llms-full.txt`, all pages in one.
 *
 * @param {string} out Folder of the built site.
 */
export function writeLlms(out) {
  writeFileSync(join(out, "llms.txt"), contents());
  writeFileSync(join(out, "llms-full.txt"), fullText());
}

/** @param {string} path */
const below = (path) => BASE.slice(0, -1) + path;

function contents() {
  const [entry = ""] = siteMap[0]?.pages ?? [];
  const { title, text } = readPage(entry);
  const groups = siteMap.map(({ group, pages }) => {
    const lines = pages.map((page) => {
      const read = readPage(page);
      return `- [${read.title}](${below(linkTo(page))}): ${firstSentence(read.text)}`;
    });
    return `## ${group}\n\n${lines.join("\n")}\n`;
  });
  const references = packages.map(
    ({ name, manifest }) =>
      `- [${manifest.name}](${below(`/api/${name}/`)}): ${manifest.description}`,
  );
  return [
    `# ${title}\n\n> ${firstSentence(text)}\n`,
    ...groups,
    `## Packages\n\n${references.join("\n")}\n`,
  ].join("\n");
}

function fullText() {
  const pages = siteMap.flatMap(({ pages }) => pages);
  return pages
    .map((page) => `<!-- ${below(linkTo(page))} -->\n\n${readPage(page).text}`)
    .join("\n");
}

/**
 * The first sentence below the headings of a page, in plain text.
 *
 * @param {string} text
 */
export function firstSentence(text) {
  const paragraph = text
    .replace(/^```.*?^```$/gms, "")
    .split(/\n{2,}/)
    .find((part) => /^[\p{L}`[]/u.test(part));
  const plain = (paragraph ?? "").replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const sentence = /^.*?[.?](?= |$)/.exec(plain)?.[0] ?? plain;
  return sentence.trim().replace(/:$/, ".");
}
