import { describe, expect, it } from "vitest";
import { openIntake } from "../support/open-intake.js";

/** Counts turns of the event loop, in each of which requests can be answered, until it is stopped. */
function countTurns() {
  let turns = 0;
  let isRunning = true;
  const next = (): void => {
    turns++;
    if (isRunning) setImmediate(next);
  };
  next();
  return { stop: () => ((isRunning = false), turns) };
}

describe("reports on an embedded database", () => {
  it("let lookups run between steps of at most 200 appended and 100 evaluated events", async () => {
    const { intake, applicationId, storage } = await openIntake();
    const events = Array.from({ length: 100 }, () => ({ event_kind: "not_found" }));
    const turns = countTurns();
    await Promise.all(Array.from({ length: 40 }, () => intake.report(applicationId, [...events])));
    // In 40 steps the events are evaluated, and in 20 of the same turns appended.
    expect(turns.stop()).toBeGreaterThanOrEqual(40);
    expect(await storage.events.list({ applicationId, limit: 5_000 })).toHaveLength(4_000);
  });
});
