import { describe, expect, it } from "vitest";
import { createRecentScores } from "../../src/rehearsal/recent-scores.js";

const HOUR_MS = 3_600_000;

function scoresAt(startMs: number) {
  const time = { nowMs: startMs };
  const scores = createRecentScores(() => time.nowMs);
  const add = (score: number, applicationId = "shop", type: "ip" | "email" = "ip"): void =>
    scores.observe({
      type,
      result: "ok",
      durationMs: 1,
      received: { applicationId, identifier: `${type} ${score}`, score },
    });
  return { time, scores, add };
}

describe("recent scores", () => {
  it("are counted by type and whole score, a fraction for the next one", () => {
    const { scores, add } = scoresAt(0);
    for (const score of [0, 40, 40.5, 100]) add(score);
    add(41, "shop", "email");
    const { ip, email } = scores.view().counts;
    expect([ip[0], ip[40], ip[41], ip[100], email[41]]).toEqual([1, 1, 1, 1, 1]);
    expect(ip).toHaveLength(101);
  });

  it("are those of one application, or of all", () => {
    const { scores, add } = scoresAt(0);
    add(50, "shop");
    add(50, "bank");
    expect(scores.view("bank").counts.ip[50]).toBe(1);
    expect(scores.view().counts.ip[50]).toBe(2);
    expect(scores.view("nobody").counts.ip[50]).toBe(0);
  });

  it("keep the newest lookups above 0, newest first", () => {
    const { time, scores, add } = scoresAt(0);
    for (let score = 0; score < 300; score++) {
      time.nowMs++;
      add(score % 101);
    }
    const { latest } = scores.view();
    expect(latest).toHaveLength(200);
    expect(latest.at(0)).toEqual({
      applicationId: "shop",
      type: "ip",
      identifier: "ip 97",
      score: 97,
      atMs: 300,
    });
    expect(latest.every(({ score }) => score > 0)).toBe(true);
  });

  it("are those of the last day, or since the start", () => {
    const { time, scores, add } = scoresAt(1_000);
    add(50);
    expect(scores.view().sinceMs).toBe(1_000);
    time.nowMs = 30 * HOUR_MS;
    add(60);
    const { sinceMs, counts, latest } = scores.view();
    expect(sinceMs).toBe(7 * HOUR_MS);
    expect([counts.ip[50], counts.ip[60]]).toEqual([0, 1]);
    expect(latest.map(({ score }) => score)).toEqual([60]);
  });

  it("drop what is old, and forget whom they are about, and nothing else", () => {
    const { time, scores, add } = scoresAt(0);
    add(50);
    time.nowMs = 20 * HOUR_MS;
    add(60);
    scores.forget();
    expect(scores.view()).toMatchObject({ latest: [] });
    expect(scores.view().counts.ip[50]).toBe(1);
    time.nowMs = 30 * HOUR_MS;
    scores.sweep();
    expect([scores.view().counts.ip[50], scores.view().counts.ip[60]]).toEqual([0, 1]);
    time.nowMs = 60 * HOUR_MS;
    scores.sweep();
    expect(scores.view().counts.ip[60]).toBe(0);
  });

  it("drop the application whose last lookup is oldest", () => {
    const { scores, add } = scoresAt(0);
    for (let index = 0; index < 1_000; index++) add(50, `app ${index}`);
    add(50, "app 0");
    add(50, "another");
    expect(scores.view("app 0").counts.ip[50]).toBe(2);
    expect(scores.view("app 1").counts.ip[50]).toBe(0);
    expect(scores.view().counts.ip[50]).toBe(1_001);
  });
});
