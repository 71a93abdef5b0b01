import { describe, expect, it } from "vitest";
import {
  detectFromEvents,
  detectFromScores,
  leastScore,
  needsScores,
} from "../../src/detection/detect.js";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import { groupEvents } from "../../src/detection/incidents/track-incidents.js";
import { readPlaybook } from "../../src/detection/playbooks/playbook.js";
import { application, composed, contextAt, windowsOf } from "../support/detection-state.js";
import { START } from "../support/open-intake.js";

const context = contextAt(START);
const playbook = (rule: object) => ({ ...readPlaybook({ name: "Block", rule }), id: "p" });

describe("detectFromEvents", () => {
  const xss = [composed("xss", START)];
  const groups = groupEvents(xss, context);
  const state = {
    windows: windowsOf(),
    open: new Map(),
    playbooks: [playbook({ genres: ["injection_xss"] })],
  };

  it("answers the incident that the same events begin", () => {
    const { incidents, actions } = detectFromEvents(state, xss, groups, [], context);
    expect(incidents).toMatchObject([{ incident: { genre: "injection_xss", endedAt: null } }]);
    expect(actions).toMatchObject([
      {
        stored: { playbookId: "p", createdAt: START },
        payload: { properties: { ips: [{ ip_cidr: "8.8.8.8/32" }] } },
      },
    ]);
  });

  it("does not answer the same target again while its response lasts", () => {
    const { windows } = detectFromEvents(state, xss, groups, [], context);
    const later = { ...state, windows: windowsOf(windows) };
    expect(detectFromEvents(later, xss, groups, [], context).actions).toEqual([]);
  });

  it("runs no playbook for an application that does not receive responses", () => {
    const deaf = { ...application, payloadTypes: ["pulse"] as const };
    const result = detectFromEvents(state, xss, groups, [], { ...context, application: deaf });
    expect(result.incidents).toHaveLength(1);
    expect(result.actions).toEqual([]);
  });
});

describe("detectFromScores", () => {
  const event = composed("auth_bruteforce_success", START);
  const state = { windows: windowsOf(), open: new Map(), playbooks: [] };

  it.each([
    ["begins an incident if the score crosses the threshold", 40, 76, 1],
    ["begins no incident if the score was above it before", 76, 80, 0],
    ["begins no incident at the threshold itself", 40, 75, 0],
  ])("%s", (_, before, score, expected) => {
    const { incidents } = detectFromScores(state, [{ event, before, score }], context);
    expect(incidents).toHaveLength(expected);
  });

  it("runs the playbooks whose threshold the score is above", () => {
    const playbooks = [playbook({ accountScoreAbove: 50 })];
    const run = (score: number) =>
      detectFromScores({ ...state, playbooks }, [{ event, before: 0, score }], context).actions;
    expect(run(50)).toEqual([]);
    expect(run(51)).toMatchObject([
      { payload: { properties: { user_identifiers: [{ email: "ada@x.y" }] } } },
    ]);
  });
});

describe("needsScores", () => {
  it("is true if an account can reach a threshold", () => {
    const events = [composed("xss", START)];
    const settings = {
      ...DETECTION_DEFAULTS,
      incidents: { ...DETECTION_DEFAULTS.incidents, accountScoreAbove: 100 },
    };
    const byScore = playbook({ accountScoreAbove: 60 });
    expect(leastScore([byScore], settings)).toBe(60);
    expect(needsScores(events, [byScore], settings)).toBe(true);
    expect(needsScores(events, [], settings)).toBe(false);
    // The engine scores emails only.
    expect(needsScores([composed("xss", START, "ada")], [byScore], settings)).toBe(false);
  });
});
