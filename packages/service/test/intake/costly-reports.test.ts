import { describe, expect, it, vi } from "vitest";
import { networkOf } from "../../src/model/network.js";
import { openIntake } from "../support/open-intake.js";

vi.mock("../../src/model/network.js", { spy: true });

const addresses = (event: number, count = 100): string[] =>
  Array.from({ length: count }, (_, n) => `2001:db8:${event.toString(16)}:${n.toString(16)}::1`);

describe("a report that names as many as it can", () => {
  it("is taken up to 10,000 addresses and accounts, and the rest refused with what to do", async () => {
    const open = await openIntake();
    const events = Array.from({ length: 101 }, (_, n) => ({
      event_kind: "not_found",
      ips: addresses(n),
    }));
    const report = await open.intake.report(open.applicationId, events);
    expect(report).toMatchObject({ accepted: 100, refused: 1 });
    expect(report.elements.at(-1)).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("another batch"),
    });
    // The refused one can be reported next.
    expect((await open.intake.report(open.applicationId, events.slice(-1))).accepted).toBe(1);
  });

  it("is counted by a playbook once for each of its addresses", async () => {
    const open = await openIntake({}, { payloadTypes: ["security_response"] });
    const rule = { kinds: ["sql_injection"], per: "address", count: 3, windowMs: 600_000 };
    await open.storage.playbooks.create(open.applicationId, { name: "Block", rule, response: {} });
    const ips = addresses(0).map((ip) => ip.replace("2001:db8", "2a00:db8"));
    const events = Array.from({ length: 100 }, () => ({ event_kind: "sql_injection", ips }));
    expect((await open.intake.report(open.applicationId, events)).accepted).toBe(100);
    const { responses } = await open.payloads();
    expect(responses).toHaveLength(1);
    expect(responses.at(0)?.properties.ips).toHaveLength(100);
    // 100 events of 100 addresses each are 10,000; each of them read for each other, it would be 10^8.
    expect(vi.mocked(networkOf).mock.calls.length).toBeLessThan(100_000);
  });
});
