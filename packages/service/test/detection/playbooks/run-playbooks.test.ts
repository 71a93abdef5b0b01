import { describe, expect, it } from "vitest";
import { readPlaybook } from "../../../src/detection/playbooks/playbook.js";
import { runPlaybooks } from "../../../src/detection/playbooks/run-playbooks.js";
import type { IntakeEvent } from "../../../src/model/event.js";
import { application, composed, windowsOf } from "../../support/detection-state.js";
import { MINUTE, START } from "../../support/open-intake.js";

const playbook = (rule: object) => ({ ...readPlaybook({ name: "Block", rule }), id: "p" });
const threeXss = [playbook({ kinds: ["xss"], count: 3 })];
const run = (events: readonly IntakeEvent[], windows = windowsOf(), now = START) =>
  runPlaybooks(windows, threeXss, { events, incidents: [], scores: [] }, { application, now });
const xss = (count: number, ip: string) =>
  Array.from({ length: count }, () => composed("xss", START, "ada@x.y", ip));

describe("runPlaybooks", () => {
  it("counts events by address, over several runs", () => {
    const { actions, windows } = run([...xss(2, "8.8.8.8"), ...xss(2, "8.8.4.4")]);
    expect(actions).toEqual([]);
    const next = run(xss(1, "8.8.4.4"), windowsOf(windows));
    expect(next.actions.map(({ payload }) => payload.properties.ips)).toEqual([
      [{ ip_cidr: "8.8.4.4/32" }],
    ]);
  });

  it("names a target again when its response has ended", () => {
    const { windows, actions } = run(xss(3, "8.8.8.8"));
    expect(actions).toMatchObject([{ stored: { endsAt: START + 60 * MINUTE } }]);
    expect(run(xss(3, "8.8.8.8"), windowsOf(windows)).actions).toEqual([]);
    const ended = START + 60 * MINUTE;
    const later = Array.from({ length: 3 }, () => composed("xss", ended));
    expect(run(later, windowsOf(windows), ended).actions).toHaveLength(1);
  });

  it("divides many targets into several responses", () => {
    const many = Array.from({ length: 1001 }, (_, index) =>
      xss(3, `9.9.${index >> 8}.${index & 255}`),
    ).flat();
    const { actions } = run(many);
    expect(actions.map(({ payload }) => payload.properties.ips.length)).toEqual([1000, 1]);
  });
});
