import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectsIn, root } from "../../tools/workspace.mjs";

/** Path below which the site is served; it begins and ends with a slash. */
export const BASE = process.env["SITE_BASE"] ?? "/";

/** Published packages, in the order of the reference. */
export const packages = projectsIn("packages").filter(({ published }) => published);

/**
 * What the site consists of, in reading order. Paths are relative to `docs`, without `.md`.
 *
 * @type {readonly { group: string, pages: readonly string[] }[]}
 */
export const siteMap = [
  {
    group: "Start",
    pages: ["README", "first-hour", "concepts", "migrating"],
  },
  {
    group: "Frameworks",
    pages: [
      "guides/express",
      "guides/fastify",
      "guides/koa",
      "guides/nest",
      "guides/next",
      "guides/hono",
      "guides/web",
      "guides/lambda",
    ],
  },
  {
    group: "Guides",
    pages: [
      "tuning",
      "rehearsal",
      "velocity",
      "devices",
      "attack-mode",
      "blocks",
      "step-up",
      "operator-rules",
      "steps",
      "webhooks",
      "idempotency",
      "reporting",
      "proxies",
      "mailboxes",
      "sandbox",
    ],
  },
  {
    group: "Recipes",
    pages: [
      "recipes/nginx",
      "recipes/cloudflare",
      "recipes/aws-alb",
      "recipes/better-auth",
      "recipes/passport",
      "recipes/next-server",
    ],
  },
  {
    group: "Operate",
    pages: [
      "docker",
      "production",
      "upgrading",
      "privacy",
      "monitoring",
      "console",
      "detection",
      "feeds",
      "redis",
      "performance",
      "evaluation",
    ],
  },
  {
    group: "Reference",
    pages: [
      "options",
      "errors",
      "adapters",
      "conformance",
      "spec-notes",
      "security-model",
      "architecture",
      "test-cases",
      "CONTRIBUTING",
    ],
  },
  {
    group: "Decisions",
    pages: [
      "decisions/one-lookup",
      "decisions/one-place",
      "decisions/option-reader",
      "decisions/bytes-before-objects",
      "decisions/no-promise-from-memory",
      "decisions/one-network-table",
      "decisions/reserve-then-run",
      "decisions/accepted-on-disk",
      "decisions/append-first",
      "decisions/two-clocks",
      "decisions/errors-by-code",
      "decisions/reports-never-delay",
      "decisions/steps",
      "decisions/model-folder",
      "decisions/public-entries",
      "decisions/build",
      "decisions/releases",
      "decisions/web-cryptography",
      "decisions/rules-schema",
      "decisions/account-protection",
    ],
  },
];

/**
 * The first heading of a page of {@link siteMap}, and the text below it.
 *
 * @param {string} page
 */
export function readPage(page) {
  const text = readFileSync(join(root, "docs", `${page}.md`), "utf8");
  const title = /^# (.*)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${page}.md has no heading`);
  return { title, text };
}

/**
 * Path of a page on the site.
 *
 * @param {string} page
 */
export function linkTo(page) {
  return page === "README" ? "/" : `/${page}.html`;
}
