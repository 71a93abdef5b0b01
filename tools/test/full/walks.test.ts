import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../workspace.mjs";

/** Functions of our files for one request, delivery or report. The numbers may only shrink. */
const MOST = {
  "lookup by HTTP": 123,
  "answer in memory": 58,
  "webhook of one event": 95,
  "lookup at the service": 60,
  "report to signed POST": 396,
};

it("keep the walks through the code short", { timeout: 60_000 }, () => {
  const script = join(root, "tools/walks.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe("");
  const counts = JSON.parse(stdout) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(Object.keys(MOST));
  const long = Object.entries(counts).filter(
    ([name, count]) => count > MOST[name as keyof typeof MOST],
  );
  expect(long, "`node tools/walks.mjs --list` prints the functions").toEqual([]);
});
