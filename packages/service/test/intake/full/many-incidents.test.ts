import { describe, expect, it, onTestFinished } from "vitest";
import { MINUTE, openIntake, START } from "../../support/open-intake.js";
import { hasPostgres } from "../../support/postgres.js";
import { openIncidents } from "../../support/stored-incidents.js";
import { engine } from "../../support/temporary-storage.js";

const QUIET = 10_000;

describe.each(["sqlite", "postgres"] as const)("10,000 quiet incidents, on %s", (name) => {
  it.skipIf(name === "postgres" && !hasPostgres)(
    "end and are published, while reports are accepted",
    async () => {
      engine.name = name;
      onTestFinished(() => void (engine.name = "sqlite"));
      const { intake, storage, applicationId, clock, errors } = await openIntake();
      await storage.incidents.save(openIncidents(applicationId, QUIET, START));
      clock.now = START + 31 * MINUTE;
      const sweeping = intake.sweep();
      // Each is accepted between two steps of the sweep: neither waits for the whole of it.
      let accepted = 0;
      let longestMs = 0;
      while ((await storage.incidents.countOpen()) > 0) {
        const before = performance.now();
        await intake.report(applicationId, [{ event_kind: "not_found" }], {});
        longestMs = Math.max(longestMs, performance.now() - before);
        accepted++;
      }
      await sweeping;
      expect(accepted).toBeGreaterThan(10);
      // 70 ms on a machine with two busy cores.
      expect(longestMs).toBeLessThan(5_000);
      const { entries: published } = await storage.outbox.take(applicationId, 2 * QUIET);
      const ended = published.filter(
        ({ type, payload }) => type === "pulse" && !payload.includes('"date_ended":null'),
      );
      expect(ended).toHaveLength(QUIET);
      expect(errors).toEqual([]);
    },
  );
});
