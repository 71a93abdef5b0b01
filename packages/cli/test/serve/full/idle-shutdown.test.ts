import { expect, it } from "vitest";
import { soakShutdown } from "../../soak/soak-shutdown.mjs";

it("stops at SIGTERM with connections open that do nothing", { timeout: 180_000 }, async () => {
  const [stop] = await soakShutdown({ stops: 1, connections: 10, hangs: false });
  expect(stop).toMatchObject({ code: 0, wrong: 0 });
  expect(stop?.answers).toBeGreaterThan(0);
});
