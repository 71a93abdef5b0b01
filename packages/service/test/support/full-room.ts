import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createService, type Service } from "../../src/service.js";
import { CONSOLE_TOKEN, type ConsoleRoom } from "./console-room.js";
import { fillStorage, type FullStorage } from "./full-storage.js";

/** A service with much of everything. */
export interface FullRoom extends FullStorage, Pick<ConsoleRoom, "url" | "baseUrl" | "admin"> {}

const LOOKUPS = 150;

/** One full service for all tests of a file; to be asked for within them. */
export function sharedFullRoom(): () => FullRoom {
  let dataDir: string;
  let service: Service;
  let room: FullRoom;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "riskgate-full-"));
    const full = await fillStorage(dataDir);
    service = await createService({
      dataDir,
      adminToken: CONSOLE_TOKEN,
      feeds: [
        { kind: "tor", name: "Tor exits", entries: ["185.220.101.0/28"], licence: "CC0 1.0" },
      ],
    });
    const { url: baseUrl, adminUrl: url } = await service.listen({ port: 0, host: "127.0.0.1" });
    const admin: ConsoleRoom["admin"] = async (method, path, body) => {
      const response = await fetch(`${url}/admin/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${CONSOLE_TOKEN}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as never;
    };
    room = { ...full, url, baseUrl, admin };
    await lookUp(room);
  });
  afterAll(async () => {
    await service?.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return () => room;
}

async function lookUp({ admin, baseUrl, shop }: FullRoom): Promise<void> {
  const keys = `/applications/${shop.id}/keys`;
  const { key } = await admin<{ key: string }>("POST", keys, { scope: "lookup" });
  for (let step = 0; step < LOOKUPS; step++) {
    const domain = step % 4 ? "mailinator.com" : "customers.shop.example";
    const path = step % 2 ? `ips/185.220.101.${step}` : `emails/user${step}@${domain}`;
    const response = await fetch(`${baseUrl}/v1/${path}`, { headers: { "x-api-key": key } });
    await response.arrayBuffer();
  }
}

/** Path of each page of the console, by name. */
export function pagesOf({ shop, incident, delivery, playbook }: FullRoom) {
  return [
    ["overview", "/console/"],
    ["incidents", "/console/incidents"],
    ["incident", `/console/incidents/${incident}`],
    ["events", "/console/events"],
    ["event", "/console/events/event-3999"],
    ["lookup", "/console/lookup"],
    ["address", "/console/addresses/185.220.101.5"],
    ["account", "/console/accounts/cleopatra.van-der-berg-oosterhuis%40customers.shop.example"],
    ["deliveries", "/console/deliveries"],
    ["delivery", `/console/deliveries/${delivery}`],
    ["applications", "/console/applications"],
    ["application", `/console/applications/${shop.id}`],
    ["keys", `/console/applications/${shop.id}?tab=keys`],
    ["playbooks", "/console/playbooks"],
    ["playbook", `/console/playbooks/${playbook}`],
    ["rules", "/console/rules"],
    ["rehearsal", "/console/rehearsal?flagAbove=30&challengeAbove=55&rejectAbove=70"],
    ["feeds", "/console/feeds"],
    ["system", "/console/system"],
    ["api", "/console/api"],
  ] as const;
}
