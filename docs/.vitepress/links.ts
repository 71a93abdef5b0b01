import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { root } from "../../tools/workspace.mjs";
import { packages } from "./site-map.mjs";

export const REPOSITORY = "https://github.com/riskgate/riskgate";

const OWN_URL = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`);

/**
 * Let a page link in the way that works on GitHub: what is a page of the site leads there, whether
 * it is named by path or by URL, and every other file of the repository to the repository.
 */
export function rewriteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const { relativePath } = env as { relativePath: string };
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href !== null) token.attrSet("href", siteLink(href, relativePath));
    }
  });
}

/** Where a link of a page leads on the site; `page` is its path below `docs`. */
export function siteLink(href: string, page: string): string {
  const path = repositoryPath(href, page);
  if (path === undefined) return href;
  const [file = "", anchor] = path.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const [folder, name = "", ...rest] = file.split("/").filter((part) => part !== "");
  if (folder === "docs" && file.endsWith(".md")) return `/${[name, ...rest].join("/")}${hash}`;
  const isReadme = rest.length === 0 || rest.join("/") === "README.md";
  if (folder === "packages" && isReadme && packages.some((one) => one.name === name)) {
    return `/api/${name}/index.md${hash === "#readme" ? "" : hash}`;
  }
  return repositoryUrl(file) + hash;
}

/** Path in the repository of what is linked, or undefined for what is elsewhere or on the site. */
function repositoryPath(href: string, page: string): string | undefined {
  if (OWN_URL.test(href)) return href.replace(OWN_URL, "");
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return undefined;
  const path = posix.join("docs", posix.dirname(page), href);
  return path.startsWith("docs/") ? undefined : path;
}

function repositoryUrl(file: string): string {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`a link leads to ${file}, which does not exist`);
  return `${REPOSITORY}/${statSync(path).isDirectory() ? "tree" : "blob"}/main/${file}`;
}

/** The anchor that GitHub gives a heading, so that one link works there and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
