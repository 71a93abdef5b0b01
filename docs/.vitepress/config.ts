import { defineConfig } from "vitepress";
import { REPOSITORY, rewriteLinks, slugOf } from "./links.js";
import { SEARCH } from "./search.mjs";
import { BASE, linkTo, packages, readPage, siteMap } from "./site-map.mjs";

const packagePages = packages.map(({ name, manifest }) => ({
  text: manifest.name,
  link: `/api/${name}/`,
}));

const titleOf = (page: string) => (page === "README" ? "Introduction" : readPage(page).title);

export default defineConfig({
  title: "riskgate",
  description: "Sign-up and login protection for Node",
  lang: "en",
  base: BASE,
  head: [["link", { rel: "icon", href: `${BASE}logo.svg` }]],
  // GitHub shows a README below the list of files; here it is the entry page.
  rewrites: { "README.md": "index.md" },
  themeConfig: {
    logo: "/logo.svg",
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
    search: { provider: "local", options: { miniSearch: SEARCH } },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    externalLinkIcon: true,
  },
  markdown: {
    anchor: { slugify: slugOf },
    config: rewriteLinks,
  },
});
