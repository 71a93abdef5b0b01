import { expect, it } from "vitest";
import { soakShutdown } from "../../soak/soak-shutdown.mjs";

it("stops at SIGTERM 30 times, whatever is connected", { timeout: 600_000 }, async () => {
  const stops = await soakShutdown({ stops: 30, connections: 50, hangs: true });
  expect(stops.map(({ code, wrong }) => ({ code, wrong }))).toEqual(
    stops.map(() => ({ code: 0, wrong: 0 })),
  );
  expect(stops).toHaveLength(30);
});
