import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { createAttackMode, createDevices, loginWatch, riskGate } from "../src/index.js";

const INFO = { remoteAddress: "8.8.8.8" };

/** A login route, whose gate and watch get the same request. */
function openRoute() {
  const device = createDevices({ secrets: "device-secret-of-at-least-32-bytes" });
  const attackMode = createAttackMode({ minimum: 3, mode: "observe" });
  const guard = riskGate({ lookup: createFakeLookup(), device, attackMode });
  const watch = loginWatch({ device, attackMode });
  return async (user: number, status: number) => {
    const request = new Request("https://app.example/login", { method: "POST" });
    const info = { ...INFO, body: { email: `user${user}@shop.example` } };
    const decision = await guard(request, info);
    await watch(request, info, () => new Response(null, { status }));
    return decision;
  };
}

describe("attack mode on Web standards", () => {
  it("learns from the watch which logins of the gate succeed", async () => {
    const logIn = openRoute();
    for (let user = 0; user < 20; user++) {
      expect(await logIn(user, 204)).not.toHaveProperty("attack");
    }
    for (let user = 0; user < 15; user++) await logIn(user, 401);
    expect(await logIn(0, 401)).toMatchObject({ attack: { failures: 16, limit: 3 } });
  });
});
