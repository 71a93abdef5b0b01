import { defineConfig } from "vitepress";
import { REPOSITORY, rewriteLinks, slugOf } from "./links.js";
import { linkTo, packages, readPage, siteMap } from "./site-map.mjs";

const packagePages = packages.map(({ name, manifest }) => ({
  text: manifest.name,
  link: `/api/${name}/`,
}));

export default defineConfig({
  title: "riskgate",
  description: "Sign-up and login protection for Node",
  lang: "en",
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
        items: pages.map((page) => ({ text: readPage(page).title, link: linkTo(page) })),
      })),
      { text: "Packages", items: packagePages },
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
