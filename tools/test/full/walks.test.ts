import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../workspace.mjs";
import { runNode } from "../run-node.js";

/** Functions of our files for one request, delivery or report. A lookup at the service reads its ledger. */
const MOST = {
  "lookup by HTTP": 126,
  "answer in memory": 61,
  "webhook of one event": 103,
  "lookup at the service": 100,
  "report to signed POST": 418,
};

it("keep the walks through the code short", { timeout: 300_000 }, async () => {
  const script = join(root, "tools/walks.mjs");
  const { stdout, stderr } = await runNode([script], root, 250_000);
  expect(stderr).toBe("");
  const counts = JSON.parse(stdout) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(Object.keys(MOST));
  const long = Object.entries(counts).filter(
    ([name, count]) => count > MOST[name as keyof typeof MOST],
  );
  expect(long, "`node tools/walks.mjs --list` prints the functions").toEqual([]);
});
