import { describe, expect, it } from "vitest";
import { markersOf } from "../../src/app/incident-markers.js";

const at = (second: number) => `2026-01-31T12:00:0${second}.000000+00:00`;
const response = (second: number, properties: object, playbookId = "p") => ({
  createdAt: at(second),
  playbookId,
  payload: { properties },
});

describe("the markers of an incident", () => {
  it("are in order, each with its kind", () => {
    const history = {
      incident: { startedAt: at(1), endedAt: at(8) },
      responses: [
        response(5, { ips: [{ ip_cidr: "192.0.2.1/32" }], duration_seconds: 1 }, "operator"),
        response(3, {
          ips: ["1", "2", "3", "4"].map((one) => ({ ip_cidr: `192.0.2.${one}/32` })),
          user_identifiers: [{ email: "ada@shop.example" }],
          duration_seconds: 60,
        }),
      ],
      comments: [{ at: at(4), action: "comment", text: "Ours" }],
    };
    expect(markersOf(history as never).map(({ kind, text }) => [kind, text])).toEqual([
      ["start", "The incident begins"],
      ["block", "Block of 192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more"],
      ["comment", "Ours"],
      ["release", "Release of 192.0.2.1"],
      ["end", "The incident ends"],
    ]);
  });

  it("name an operator who closed it instead of its end", () => {
    const history = {
      incident: { startedAt: at(1), endedAt: at(2) },
      responses: [],
      comments: [{ at: at(9), action: "close", text: "Done" }],
    };
    expect(markersOf(history as never).map(({ text }) => text)).toEqual([
      "The incident begins",
      "Closed by an operator: Done",
    ]);
  });
});
