import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService, type Service, type ServiceOptions } from "../../src/index.js";
import { hasPostgres, temporaryDatabase } from "../support/postgres.js";

const TOKEN = "administration-token-1";

/** One of several processes, as far as one process can tell: nothing is shared but the database. */
class Process {
  readonly service: Service;
  readonly url: string;
  readonly adminUrl: string;

  private constructor(service: Service, url: string, adminUrl: string) {
    this.service = service;
    this.url = url;
    this.adminUrl = adminUrl;
  }

  static async start(database: string, options: Partial<ServiceOptions> = {}): Promise<Process> {
    const service = await createService({
      database,
      adminToken: TOKEN,
      delivery: { maxWaitMs: 10 },
      ...options,
    });
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    return new Process(service, url, adminUrl);
  }

  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.adminUrl}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        prefer: "wait=20",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return (await response.json()) as T;
  }

  async lookUp(key: string, ip: string): Promise<{ status: number; score?: number }> {
    const response = await fetch(`${this.url}/v1/ips/${ip}`, { headers: { "x-api-key": key } });
    const { risk_score: score } = (await response.json()) as { risk_score?: number };
    return { status: response.status, ...(score !== undefined && { score }) };
  }
}

interface Shop {
  readonly application: { readonly id: string };
  readonly key: string;
}

interface Reported {
  readonly accepted: number;
  readonly duplicates: number;
  readonly events: readonly { readonly kind: string }[];
}

async function startThree(
  settings: object = {},
  options: Partial<ServiceOptions> = {},
): Promise<{ processes: [Process, Process, Process]; shop: Shop }> {
  const database = await temporaryDatabase();
  const first = await Process.start(database, options);
  const processes: [Process, Process, Process] = [
    first,
    await Process.start(database, options),
    await Process.start(database, options),
  ];
  onTestFinished(async () => {
    await Promise.all(processes.map(({ service }) => service.close()));
  });
  const shop = await first.admin<Shop>("POST", "/applications", { name: "Shop", ...settings });
  return { processes, shop };
}

const failure = (n: number): object => ({
  account: "ada@shop.example",
  address: `198.51.100.${n}`,
  success: false,
});

const title = "several processes on one database";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("know each other's keys, and their revocation", async () => {
    const { processes, shop } = await startThree();
    const [first, second, third] = processes;
    expect((await second.lookUp(shop.key, "203.0.113.9")).status).toBe(200);
    const { keys } = await first.admin<{ keys: { id: string }[] }>(
      "GET",
      `/applications/${shop.application.id}/keys`,
    );
    await third.admin("DELETE", `/applications/${shop.application.id}/keys/${keys.at(0)!.id}`);
    await expect.poll(async () => (await second.lookUp(shop.key, "203.0.113.9")).status).toBe(401);
  });

  it("answer lookups by the rules that one of them is given", async () => {
    const { processes, shop } = await startThree();
    const [first, second] = processes;
    const rules = [{ name: "all", when: { scoreAtMost: 100 }, outcome: "reject" }];
    await first.admin("PUT", "/rules", { rules });
    await expect.poll(() => second.lookUp(shop.key, "203.0.113.9")).toMatchObject({ score: 81 });
    await second.admin("PUT", "/rules", { rules: [] });
    await expect.poll(() => first.lookUp(shop.key, "203.0.113.9")).toMatchObject({ score: 0 });
  });

  it("look up by the feeds that one of them has fetched", async () => {
    const publisher = createServer((_, response) => response.end("8.8.8.8\n"));
    await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void publisher.close());
    const dir = await mkdtemp(join(tmpdir(), "feeds-"));
    onTestFinished(() => rm(dir, { recursive: true }));
    const url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/`;
    const feedUpdates = { dir, feeds: [{ kind: "tor" as const, name: "exits", url }] };
    const { processes, shop } = await startThree({}, { feedUpdates });
    const [first, second, third] = processes;
    expect(await second.lookUp(shop.key, "8.8.8.8")).toMatchObject({ score: 0 });
    await first.admin("POST", "/feeds/update");
    for (const process of [second, third]) {
      await expect.poll(() => process.lookUp(shop.key, "8.8.8.8")).toMatchObject({ score: 60 });
    }
  });

  it("count the logins of an account together, whichever of them hears of each", async () => {
    const { processes, shop } = await startThree();
    const kinds: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { events } = await processes
        .at(n % 3)!
        .admin<Reported>("POST", `/applications/${shop.application.id}/logins`, [failure(n)]);
      kinds.push(...events.map(({ kind }) => `${n}: ${kind}`));
    }
    expect(kinds).toEqual(["9: auth_bruteforce"]);
  });

  it("accept an event once, score by the events of all, and forget together", async () => {
    const { processes, shop } = await startThree();
    const event = { id: "event-1", event_kind: "xss", ips: ["8.8.8.8"] };
    const path = `/applications/${shop.application.id}/events`;
    const answers = await Promise.all(
      processes.map((one) => one.admin<Reported>("POST", path, [event])),
    );
    expect(answers.map(({ accepted }) => accepted).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
    const scores = (): Promise<unknown[]> =>
      Promise.all(processes.map(async (one) => (await one.lookUp(shop.key, "8.8.8.8")).score));
    const accepting = answers.findIndex(({ accepted }) => accepted === 1);
    const score = (await scores())[accepting];
    expect(score).toBeGreaterThan(0);
    await expect.poll(scores).toEqual([score, score, score]);

    await processes[1].admin("POST", "/erasures", { ip: "8.8.8.8" });
    await expect.poll(scores).toEqual([0, 0, 0]);
  });

  it("let go of what they keep for rehearsals, whichever of them erases", async () => {
    const { processes, shop } = await startThree();
    const [first, second] = processes;
    const event = { id: "event-1", event_kind: "xss", ips: ["8.8.8.8"] };
    await first.admin("POST", `/applications/${shop.application.id}/events`, [event]);
    await expect
      .poll(async () => (await second.lookUp(shop.key, "8.8.8.8")).score)
      .toBeGreaterThan(0);
    const examples = async (): Promise<unknown[]> => {
      const { lookups } = await second.admin<{ lookups: { examples: unknown[] } }>(
        "GET",
        "/rehearsal?flagAbove=0&rejectAbove=0",
      );
      return lookups.examples;
    };
    expect((await examples()).length).toBeGreaterThan(0);
    await first.admin("POST", "/erasures", { ip: "8.8.8.8" });
    await expect.poll(examples).toEqual([]);
  });

  it("deliver what any of them accepts, in one order and once, and take over from each other", async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        const payloads = JSON.parse(text) as { event_id: string }[];
        received.push(...payloads.map(({ event_id: id }) => id));
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const { processes, shop } = await startThree({
      webhookUrl,
      payloadTypes: ["security_event"],
      allowedDestinations: ["127.0.0.1/32"],
    });
    const expected: string[] = [];
    const report = async (process: Process): Promise<void> => {
      const id = `event-${expected.push(`event-${expected.length}`) - 1}`;
      await process.admin("POST", `/applications/${shop.application.id}/events`, [
        { id, event_kind: "location", ips: ["198.51.100.7"] },
      ]);
    };
    for (let n = 0; n < 30; n++) await report(processes.at(n % 3)!);
    await expect.poll(() => received.length).toBe(30);
    expect(received).toEqual(expected);

    await processes[0].service.close();
    await processes[1].service.close();
    for (let n = 0; n < 5; n++) await report(processes[2]);
    await expect.poll(() => received.length).toBe(35);
    expect(received).toEqual(expected);
  });
});
