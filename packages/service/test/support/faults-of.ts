import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Fault {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Black bars: a series that the style sheet gives no colour. */
const COLOURLESS = `[...document.querySelectorAll(".chart rect, .spark :is(rect, path)")]
  .filter((one) => getComputedStyle(one).fill === "rgb(0, 0, 0)")
  .map((one) => "no colour: " + one.parentElement.outerHTML.slice(0, 200))`;

/** Faults of any impact that axe-core finds on a page, and charts without colours. */
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
  const found = (JSON.parse(String(result.value)) as Fault[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
  return [...found, ...(await page.evaluate<string[]>(COLOURLESS))];
}
