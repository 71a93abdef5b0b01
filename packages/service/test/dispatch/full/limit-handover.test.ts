import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type Service } from "../../../src/index.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { idsOf, startReceiver } from "../../support/receiver.js";

const TOKEN = "administration-token-1";
const POLL = { timeout: 120_000, interval: 5 };

/** Requests per minute, and thus five in each second. */
const PER_MINUTE = 300;
const COUNT = 25;

interface Process {
  readonly service: Service;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

async function startProcess(database: string): Promise<Process> {
  const delivery = { maxWaitMs: 0, timeoutMs: 60_000 };
  const service = await createService({ database, adminToken: TOKEN, delivery });
  onTestFinished(() => service.close());
  const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  return {
    service,
    async call<T>(method: string, path: string, body?: unknown) {
      const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
}

const title = "the limit of an endpoint, whose owner hands over";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it.each([
    ["to a process that runs beside it", true],
    ["to a process that starts once it has stopped", false],
  ])("sends each delivery in one request, and none early: %s", async (_, isBeside) => {
    const database = await temporaryDatabase();
    const receiver = await startReceiver({
      // Some requests are under way when their process closes.
      answer: (response) => void setTimeout(() => response.end(), 30),
    });
    let owner = await startProcess(database);
    const { application } = await owner.call<{ application: { id: string } }>(
      "POST",
      "/applications",
      {
        name: "Shop",
        webhookUrl: receiver.url,
        allowedDestinations: ["127.0.0.0/8"],
        maxDeliveriesPerMinute: PER_MINUTE,
        maxBodyBytes: 1_500,
        payloadTypes: ["security_event"],
      },
    );
    const startedMs = Date.now();
    // Large enough for one delivery each.
    const events = Array.from({ length: COUNT }, (__, n) => ({
      event_kind: "not_found",
      event_id: `e${n}`,
      humanized_description: "x".repeat(900),
    }));
    await owner.call("POST", `/applications/${application.id}/events`, events);
    for (const sent of [4, 11, 18]) {
      let next = isBeside ? await startProcess(database) : undefined;
      await expect.poll(() => receiver.requests.length, POLL).toBeGreaterThanOrEqual(sent);
      await owner.service.close();
      next ??= await startProcess(database);
      owner = next;
    }
    const counts = async () =>
      (await owner.call<{ deliveries: object }>("GET", "/overview")).deliveries;
    await expect.poll(() => receiver.requests.length, POLL).toBeGreaterThanOrEqual(COUNT);
    await expect.poll(counts, POLL).toMatchObject({ pending: 0 });
    await owner.service.close();
    const ids = receiver.requests.flatMap(idsOf);
    expect(ids).toEqual(events.map(({ event_id }) => event_id));
    expect(receiver.requests).toHaveLength(COUNT);
    // The last five wait for the fifth second, whoever counted the others.
    expect(receiver.requests.at(-1)!.atMs - startedMs).toBeGreaterThan(3_900);
  });
});
