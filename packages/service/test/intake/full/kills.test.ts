import { expect, it } from "vitest";
import { soakReports } from "../../soak/soak-reports.mjs";

it(
  "loses no event and no response over five kills, and doubles none",
  { timeout: 180_000 },
  async () => {
    const { found, owed, exitCode } = await soakReports(5);
    for (const [name, { expected, lost, added }] of Object.entries(found)) {
      expect([lost, added], name).toEqual([0, 0]);
      expect(expected, name).toBeGreaterThan(0);
    }
    expect({ owed, exitCode }).toEqual({ owed: 0, exitCode: 0 });
  },
);
