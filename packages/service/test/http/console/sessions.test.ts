import { describe, expect, it } from "vitest";
import { createSessions } from "../../../src/http/console/sessions.js";

const HOUR = 3_600_000;

describe("sessions", () => {
  it("are used with both halves, and with no half of another", () => {
    const sessions = createSessions(() => 0);
    const [one, other] = [sessions.open(), sessions.open()];
    expect(one.id).not.toBe(one.csrfToken);
    expect(sessions.use(one)).toBe(true);
    expect(sessions.use({ id: one.id, csrfToken: other.csrfToken })).toBe(false);
    expect(sessions.use({ id: one.id, csrfToken: "" })).toBe(false);
    expect(sessions.use({ id: "", csrfToken: one.csrfToken })).toBe(false);
    expect(sessions.use({ id: one.csrfToken, csrfToken: one.id })).toBe(false);
  });

  it("end when they are not used for an hour, and after half a day at the latest", () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const [idle, used] = [sessions.open(), sessions.open()];
    for (now = 0; now < 12 * HOUR; now += HOUR - 1) expect(sessions.use(used)).toBe(true);
    expect(sessions.use(idle)).toBe(false);
    now = 12 * HOUR;
    expect(sessions.use(used)).toBe(false);
    now = 0;
    expect(sessions.use(used)).toBe(false);
  });

  it("end by hand, with both halves", () => {
    const sessions = createSessions(() => 0);
    const opened = sessions.open();
    expect(sessions.end({ id: opened.id, csrfToken: "wrong" })).toBe(false);
    expect(sessions.end(opened)).toBe(true);
    expect(sessions.end(opened)).toBe(false);
    expect(sessions.use(opened)).toBe(false);
  });

  it("are a hundred at most: the oldest ends", () => {
    const sessions = createSessions(() => 0);
    const opened = Array.from({ length: 101 }, () => sessions.open());
    expect(sessions.use(opened.at(0)!)).toBe(false);
    expect(opened.slice(1).every((one) => sessions.use(one))).toBe(true);
  });
});
