import { describe, expect, it } from "vitest";
import { draftOf } from "../../src/app/playbook-draft.js";
import { faultsOf } from "../../src/app/playbook-faults.js";

const EMPTY = draftOf(undefined);
const SOUND = { ...EMPTY, name: "Block", kinds: ["xss" as const] };

describe("what is wrong with the draft of a playbook", () => {
  it("is nothing, or one message for each field", () => {
    expect(faultsOf(SOUND, "app", "save")).toEqual({});
    expect(Object.keys(faultsOf(EMPTY, "", "save"))).toEqual(["applicationId", "name", "kinds"]);
    expect(Object.keys(faultsOf({ ...EMPTY, form: "genres" }, "app", "save"))).toEqual([
      "name",
      "genres",
    ]);
  });

  it("is not the name while it is only tried", () => {
    expect(faultsOf({ ...SOUND, name: " " }, "app", "try")).toEqual({});
    expect(Object.keys(faultsOf({ ...SOUND, name: " " }, "app", "save"))).toEqual(["name"]);
  });

  it("are numbers out of their range, and missing ones, of the form in use", () => {
    const draft = { ...SOUND, count: NaN, windowMinutes: 0, accountScoreAbove: 101 };
    expect(faultsOf({ ...draft, durationMinutes: 43_201 }, "app", "save")).toEqual({
      count: "Enter a number from 1 to 1,000.",
      windowMinutes: "Enter a number from 0.1 to 1,440.",
      durationMinutes: "Enter a number from 1 to 43,200.",
    });
    expect(faultsOf({ ...draft, form: "accountScoreAbove" }, "app", "save")).toEqual({
      accountScoreAbove: "Enter a number from 0 to 100.",
    });
  });
});
