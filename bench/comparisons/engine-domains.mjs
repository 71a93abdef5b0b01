import mailchecker from "mailchecker";
import { bundleSources } from "../../tools/test/bundle-sources.mjs";
import { timed } from "../lib/timing.mjs";

const { createDisposableDomains } = await import(
  await bundleSources("engine", "feeds/disposable-domains.ts")
);

const ASKED = 1_024;

const shipped = [...mailchecker.blacklist()];

/**
 * Whether the domain of an email address, or one above it, is disposable; half of those asked are.
 *
 * @param {number} count Domains on the list: those that are shipped, some of them, or others besides.
 */
export function disposable(count = shipped.length) {
  const taken = shipped.slice(0, count);
  const others = Array.from({ length: count - taken.length }, (_, at) => `list${at}.example`);
  return {
    name: `disposable domain of an email, ${count.toLocaleString("en")} domains`,
    figure: "ns",
    baseline: "one look into a set",
    async open() {
      const all = new Set([...taken, ...others]);
      const domains = await createDisposableDomains([], new Set(), all);
      const asked = Array.from({ length: ASKED }, (_, index) => {
        const listed = taken[(index * 37) % taken.length];
        const domain = ["gmail.com", listed, `mail${index % 97}.example.org`, `sub.${listed}`];
        return Buffer.from(`user${index}@${domain[index % 4]}`).toString("latin1");
      });
      /** @type {Record<string, (email: string) => unknown>} */
      const ways = {
        "one look into a set": (email) =>
          all.has(email.slice(email.lastIndexOf("@") + 1).toLowerCase()),
        riskgate: (email) => domains.listOf(email) !== undefined,
        mailchecker: (email) => !mailchecker.isValid(email),
      };
      for (const domain of ["gmail.com", taken[0], `x.${taken[0]}`]) {
        const email = `a@${domain}`;
        const isListed = domain !== "gmail.com";
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
  };
}
