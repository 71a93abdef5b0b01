import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { riskProxy, type RiskProxyOptions } from "../src/index.js";

const lookup = createFakeLookup({ "8.8.8.8": { risk_score: 95 } });
type Steps = NonNullable<RiskProxyOptions["steps"]>;

const marking: Steps[number] = {
  name: "marking",
  weigh: (context) => context.addHeader("x-step", "seen"),
};

const proxied = (address: string, steps: Steps) =>
  riskProxy({ lookup, clientAddress: () => address, steps })(new Request("https://app.example/"));

describe("riskProxy", () => {
  it("returns nothing for a request that passes", async () => {
    expect(await proxied("9.9.9.9", [])).toBeUndefined();
  });

  it("continues with the headers of steps", async () => {
    const next = await proxied("9.9.9.9", [marking]);
    expect(Object.fromEntries(next!.headers)).toEqual({
      "x-middleware-next": "1",
      "x-step": "seen",
    });
  });

  it("refuses with the headers of steps", async () => {
    const refusal = await proxied("8.8.8.8", [marking]);
    expect([refusal!.status, refusal!.headers.get("x-step")]).toEqual([403, "seen"]);
  });
});
