import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

/**
 * Check every link within a built site: its page, or its file, and the heading that it names.
 *
 * @param {string} out Folder of the built site.
 * @param {string} base Path below which the site is served.
 * @returns {number} Pages read.
 * @throws {Error} That lists the links that lead nowhere.
 */
export function checkAnchors(out, base = "/") {
  const files = readdirSync(out, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll(sep, "/"),
  );
  const present = new Set(files);
  const pages = files.filter((file) => file.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(out, page), "utf8")]));
  const ids = new Map([...texts].map(([page, text]) => [page, valuesOf(text, "id")]));

  const broken = [...texts].flatMap(([page, text]) =>
    [...valuesOf(text, "href")]
      .filter((href) => {
        if (/^(?:[a-z]+:|\/\/)/.test(href)) return false;
        const { pathname, hash } = new URL(href, `file://${base}${page}`);
        if (!pathname.startsWith(base)) return true;
        const target = decodeURIComponent(pathname.slice(base.length));
        const file = [target, posix.join(target, "index.html"), `${target}.html`].find(
          (name) => present.has(name) && !isFolder(name),
        );
        const anchor = decodeURIComponent(hash.slice(1));
        if (file === undefined) return true;
        return anchor !== "" && ids.get(file)?.has(anchor) !== true;
      })
      .map((href) => `${page}: ${href}`),
  );
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join("\n")}`);
  return pages.length;

  /** @param {string} name */
  function isFolder(name) {
    return files.some((file) => file.startsWith(`${name}/`));
  }
}

/**
 * @param {string} html
 * @param {"id" | "href"} attribute
 */
function valuesOf(html, attribute) {
  const found = html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"));
  return new Set([...found].map((match) => (match[1] ?? "").replaceAll("&amp;", "&")));
}
