import { defineConfig } from "vitepress";
import { REPOSITORY, rewriteLinks, slugOf } from "./links.js";
import { linkTo, packages, readPage, siteMap } from "./site-map.mjs";

const packagePages = packages.map(({ name, manifest }) => ({
  text: manifest.name,
  link: `/api/${name}/`,
}));

const titleOf = (page: string) => (page === "README" ? "Introduction" : readPage(page).title);

/** A gate: two posts and a bar. */
const ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='#3451b2'>" +
      "<path d='M1 2h3v12H1zM12 2h3v12h-3zM4 7h8v3H4z'/></svg>",
  );

export default defineConfig({
  title: "riskgate",
  description: "Sign-up and login protection for Node",
  lang: "en",
  head: [["link", { rel: "icon", href: ICON }]],
  // GitHub shows a README below the list of files; here it is the entry page.
  rewrites: { "README.md": "index.md" },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/express" },
      { text: "Recipes", link: "/recipes/nginx" },
      { text: "API", link: "/api/" },
      { text: "Changes", link: `${REPOSITORY}/blob/main/CHANGELOG.md` },
    ],
    sidebar: [
      ...siteMap.map(({ group, pages }) => ({
        text: group,
        items: pages.map((page) => ({ text: titleOf(page), link: linkTo(page) })),
      })),
      { text: "Packages", collapsed: true, items: packagePages },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    externalLinkIcon: true,
  },
  markdown: {
    anchor: { slugify: slugOf },
    config: rewriteLinks,
  },
});
