import { describe, expect, it } from "vitest";
import { isWanted } from "../../../src/detection/events/wanted-payload.js";
import type { ApplicationSettings } from "../../../src/model/application.js";
import { temporaryStorage } from "../../support/temporary-storage.js";

const webhookUrl = "https://hooks.example/";
const scan = { type: "pulse", kind: "http_scan" } as const;
const xss = { type: "security_event", kind: "xss" } as const;

async function shop(settings: Partial<ApplicationSettings>) {
  const { storage } = await temporaryStorage();
  return {
    storage,
    application: await storage.applications.create({ name: "shop", webhookUrl, ...settings }),
  };
}

describe("isWanted", () => {
  it.each([
    ["everything by default", {}, xss, true],
    ["nothing without an endpoint", { webhookUrl: null }, xss, false],
    ["types that are enabled", { payloadTypes: ["pulse"] }, { type: "pulse" }, true],
    ["no type that is not enabled", { payloadTypes: ["pulse"] }, xss, false],
    ["kinds that are enabled", { eventKinds: ["lfi", "xss"] }, xss, true],
    ["no kind that is not enabled", { eventKinds: ["lfi"] }, xss, false],
    ["no event without a kind", { eventKinds: ["lfi"] }, { type: "security_event" }, false],
    ["incidents of whatever kind", { eventKinds: [] }, { type: "pulse" }, true],
    ["genres that are enabled", { incidentGenres: ["http_scan"] }, scan, true],
    ["no genre that is not enabled", { incidentGenres: ["injection_xss"] }, scan, false],
    ["events of whatever genre", { incidentGenres: [] }, xss, true],
  ] as const)("accepts %s", async (_, settings, payload, expected) => {
    const { application } = await shop(settings);
    expect(isWanted(application, payload)).toBe(expected);
  });

  it("accepts nothing for a disabled endpoint", async () => {
    const { storage, application } = await shop({});
    expect(isWanted((await storage.applications.disable(application.id, "x"))!, xss)).toBe(false);
  });
});
