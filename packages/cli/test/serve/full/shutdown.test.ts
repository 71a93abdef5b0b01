import { expect, it } from "vitest";
import { soakShutdown } from "../../soak/soak-shutdown.mjs";

it("stops at SIGTERM 30 times, whatever is connected", { timeout: 600_000 }, async () => {
  // Beside each other: most of the time they wait for requests that hang.
  const soak = () => soakShutdown({ stops: 10, connections: 50, hangs: true });
  const stops = (await Promise.all([soak(), soak(), soak()])).flat();
  expect(stops.map(({ code, wrong }) => ({ code, wrong }))).toEqual(
    stops.map(() => ({ code: 0, wrong: 0 })),
  );
  expect(stops).toHaveLength(30);
});
