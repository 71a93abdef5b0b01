import mailchecker from "mailchecker";
import { createDisposableDomains } from "../../packages/engine/dist/cjs/disposable-domains.js";
import { domainIn } from "../../packages/engine/dist/cjs/domain-name.js";
import { Feed } from "../../packages/engine/dist/cjs/feed.js";
import { timed } from "../lib/timing.mjs";

const ASKED = 1_024;

/**
 * Whether the domain of an email address, or one above it, is disposable; half of those asked are.
 *
 * @param {number} count Domains on the lists: those that are shipped, and others until there are so
 *   many.
 */
export function disposable(count) {
  const shipped = [...mailchecker.blacklist()];
  const others = Array.from(
    { length: Math.max(0, count - shipped.length) },
    (_, index) => `list${index}.example`,
  );
  const total = shipped.length + others.length;
  return {
    name: `disposable domain of an email, ${total.toLocaleString("en")} domains`,
    figure: "ns",
    baseline: "one look into a set",
    async open() {
      const feeds = others.length === 0 ? [] : [new Feed({ kind: "disposable" }, others)];
      const domains = await createDisposableDomains(feeds, new Set());
      const all = new Set([...shipped, ...others]);
      const asked = Array.from({ length: ASKED }, (_, index) => {
        const listed = shipped[(index * 37) % shipped.length];
        const domain = ["gmail.com", listed, `mail${index % 97}.example.org`, `sub.${listed}`];
        return Buffer.from(`user${index}@${domain[index % 4]}`).toString("latin1");
      });
      /** @type {Record<string, (email: string) => unknown>} */
      const ways = {
        "one look into a set": (email) =>
          all.has(email.slice(email.lastIndexOf("@") + 1).toLowerCase()),
        riskgate: (email) => domains.listOf(domainIn(email)) !== undefined,
        mailchecker: (email) => !mailchecker.isValid(email),
      };
      for (const email of ["a@gmail.com", "a@mailinator.com", "a@x.mailinator.com"]) {
        const isListed = email !== "a@gmail.com";
        if (ways.riskgate?.(email) !== isListed || ways.mailchecker?.(email) !== isListed)
          throw new Error(`the wrong answer for ${email}`);
      }
      return {
        variants: Object.entries(ways).map(([name, ask]) => ({
          name,
          measure: timed((call) => ask(asked[call % ASKED] ?? ""), { unit: "ns" }),
        })),
      };
    },
    targets: [
      {
        id: "6c",
        variant: "riskgate",
        figure: "ns",
        as: "value",
        atMost: count === 0 ? 150 : 250,
      },
    ],
  };
}
