import { describe, expect, it } from "vitest";
import { queuePayloads } from "../../src/intake/queue-payloads.js";
import type { ApplicationSettings } from "../../src/model/application.js";
import { temporaryStorage } from "../support/temporary-storage.js";

const webhookUrl = "https://hooks.example/";
async function shop(settings: Partial<ApplicationSettings>) {
  const { storage } = await temporaryStorage();
  return {
    storage,
    application: await storage.applications.create({ name: "shop", webhookUrl, ...settings }),
  };
}

describe("queuePayloads", () => {
  it("queues the payloads that the application wants, in order", async () => {
    const { storage, application } = await shop({ eventKinds: ["xss"] });
    const xss = { type: "security_event", kind: "xss", payload: {} } as const;
    const lfi = { type: "security_event", kind: "lfi", payload: {} } as const;
    expect(await queuePayloads(storage, application, [lfi])).toBe(false);
    const payloads = [
      { ...xss, payload: { event_kind: "xss" } },
      lfi,
      { type: "pulse", payload: {} },
    ] as const;
    expect(await queuePayloads(storage, application, payloads)).toBe(true);
    const pulse = {
      type: "pulse",
      kind: "http_scan",
      payload: { pulse_genre: "http_scan" },
    } as const;
    expect(await queuePayloads(storage, application, [pulse])).toBe(true);
    const entries = await storage.outbox.take(application.id, 9);
    expect(entries.map(({ type, kind }) => [type, kind])).toEqual([
      ["security_event", "xss"],
      ["pulse", undefined],
      ["pulse", "http_scan"],
    ]);
  });
});
