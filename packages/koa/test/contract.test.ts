import { createRequire } from "node:module";
import { adapterContract } from "@riskgate/testing";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { inShort } from "../../../tools/test/web-contract.js";
import { koaHarness } from "./koa-harness.js";

const koa2 = createRequire(import.meta.url)("koa2") as typeof Koa;

// `full` runs the whole contract.
describe.each([koaHarness("Koa 3", Koa), koaHarness("Koa 2", koa2)])("$name", (harness) => {
  it.each(inShort(adapterContract))("$id $title", async (check) => {
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});
