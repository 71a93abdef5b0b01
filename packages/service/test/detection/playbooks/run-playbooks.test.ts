import { describe, expect, it } from "vitest";
import { readPlaybook } from "../../../src/detection/playbooks/playbook.js";
import { runPlaybooks } from "../../../src/detection/playbooks/run-playbooks.js";
import type { Windows } from "../../../src/detection/windows.js";
import type { IntakeEvent } from "../../../src/model/event.js";
import { application, composed, windowsOf } from "../../support/detection-state.js";
import { MINUTE, START } from "../../support/open-intake.js";

const playbook = (rule: object) => ({ ...readPlaybook({ name: "Block", rule }), id: "p" });
const threeXss = playbook({ kinds: ["xss"], count: 3 });
const run = (events: readonly IntakeEvent[], windows = windowsOf(), now = START) =>
  runPlaybooks(windows, [threeXss], { events, incidents: [], scores: [] }, { application, now });
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

  it("does not shorten a block, whether an operator or another playbook set it", () => {
    const blockedFor = (minutes: number, since = START - MINUTE) => {
      const value = { since, until: START + minutes * MINUTE };
      return windowsOf([{ map: "blocks", key: "network/8.8.8.8/32", value }]);
    };
    const both = [...xss(3, "8.8.8.8"), ...xss(3, "8.8.4.4")];
    const named = (windows: Windows) =>
      run(both, windows).actions.flatMap(({ payload }) =>
        payload.properties.ips.map(({ ip_cidr }) => ip_cidr),
      );
    expect(named(blockedFor(61))).toEqual(["8.8.4.4/32"]);
    expect(named(blockedFor(59))).toEqual(["8.8.8.8/32", "8.8.4.4/32"]);
    // Set before the clock was set back, which no block list knows.
    expect(named(blockedFor(61, START + 1))).toEqual(["8.8.8.8/32", "8.8.4.4/32"]);

    const short = { ...threeXss, id: "short" };
    const long = { ...short, id: "long", response: { ...short.response, durationMs: 86_400_000 } };
    const triggers = { events: both, incidents: [], scores: [] };
    const { actions } = runPlaybooks(windowsOf(), [long, short], triggers, {
      application,
      now: START,
    });
    expect(actions.map(({ stored }) => stored.playbookId)).toEqual(["long"]);
  });
});
