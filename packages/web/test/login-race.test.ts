import { createFakeLookup } from "@riskgate/testing";
import { expect, it } from "vitest";
import { createVelocity, loginWatch, riskGate } from "../src/index.js";

const INFO = { remoteAddress: "8.8.8.8", body: { email: "ann@shop.example" } };

it("limits the logins of one account until the watch knows their outcome", async () => {
  const velocity = createVelocity({ counts: "failed_logins" });
  const guard = riskGate({ lookup: createFakeLookup(), velocity });
  const watch = loginWatch({ velocity });
  const begin = async () => {
    const request = new Request("https://app.example/login", { method: "POST" });
    const decision = await guard(request, INFO);
    return { request, decision };
  };
  for (let index = 0; index < 20; index++) {
    const { request, decision } = await begin();
    expect(decision).not.toHaveProperty("velocity");
    await watch(request, INFO, () => new Response(null, { status: 204 }));
  }
  for (let index = 0; index < 6; index++) await begin();
  expect((await begin()).decision).toMatchObject({
    velocity: { signals: [{ name: "mailbox", count: 6 }] },
  });
});
