import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Fault {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Faults of any impact that axe-core finds on a page. */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify(rules ? { runOnly: rules } : {});
  // Past the policy of the page, as an extension of the browser would.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `globalThis.axe ?? (() => {${AXE}})()` });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${options}).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
  });
  await session.detach();
  return (JSON.parse(String(result.value)) as Fault[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
}
