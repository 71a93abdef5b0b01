import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, type Service } from "@riskgate/service";

/** The service of the tour, with one application that is set up for the guarded app. */
export interface Sandbox {
  readonly url: string;
  /** The pages of the service, and the token that opens them. */
  readonly consoleUrl: string;
  readonly adminToken: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Reports an event of the app to the service; returns the status. */
  report(events: readonly object[]): Promise<number>;
  /** Returns the number of open incidents. */
  openIncidents(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Addresses of the tour. They are in a block that the address registries call globally reachable and
 * that no client uses (RFC 7450): the tour never calls a real address bad.
 */
const HOSTING_NETWORK = "192.52.193.0/26";
export const HOSTING_ADDRESS = "192.52.193.7";
export const TOR_EXIT = "192.52.193.77";
export const ATTACKER = "192.52.193.200";

/** Starts the service in a temporary directory, and creates an application. */
export async function startSandbox(webhookUrl: string): Promise<Sandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-tour-"));
  const adminToken = randomBytes(16).toString("hex");
  const service: Service = await createService({
    dataDir,
    adminToken,
    feeds: [
      { kind: "datacenter", name: "tour hosting", entries: [HOSTING_NETWORK] },
      { kind: "tor", name: "tour exits", entries: [TOR_EXIT] },
    ],
    // Deliver at once, because a second is long for someone who watches.
    delivery: { maxWaitMs: 0 },
  });
  const {
    url,
    adminUrl,
    consoleUrl = adminUrl,
  } = await service.listen({ port: 0, host: "127.0.0.1" });

  const admin = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${adminUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });

  const created = await admin("POST", "/applications", {
    name: "Tour",
    kind: "sandbox",
    webhookUrl,
    // Deliveries go to this machine only if the operator allows it.
    allowedDestinations: ["127.0.0.0/8"],
  });
  const { application, key, secret } = (await created.json()) as {
    application: { id: string };
    key: string;
    secret: string;
  };
  await admin("POST", `/applications/${application.id}/playbooks`, {
    name: "Block SQL injection",
    rule: { kinds: ["sql_injection"], count: 3 },
    response: { durationMs: 600_000 },
  });

  return {
    url,
    consoleUrl,
    adminToken,
    apiKey: key,
    secret,
    async report(events) {
      return (await admin("POST", `/applications/${application.id}/events`, events)).status;
    },
    async openIncidents() {
      const answer = await admin("GET", `/applications/${application.id}/incidents?open=true`);
      return ((await answer.json()) as { incidents: object[] }).incidents.length;
    },
    async close() {
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
