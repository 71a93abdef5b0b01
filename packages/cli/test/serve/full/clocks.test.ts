import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { mkdtempSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../../tools/test/free-port.js";
import { hasPostgres, temporaryDatabase } from "../../../../../tools/test/postgres.js";
import { scratchDirectory } from "../../support/scratch.js";
import { type RunningCommand, startCommand } from "../../support/run-command.js";

const SHIFT = new URL("../../../../../tools/faults/shifted-clock.mjs", import.meta.url).href;
const TOKEN = "administration-token-1";
const POLL = { timeout: 45_000, interval: 50 };

const scratch = scratchDirectory();

interface Process {
  readonly url: string;
  readonly command: RunningCommand;
}

/** A service in another process whose clock is off. */
async function serve(database: string, shiftMs: number): Promise<Process> {
  const adminPort = await freePort();
  const command = startCommand(
    ["serve", `--port=${await freePort()}`, `--admin-port=${adminPort}`],
    {
      env: {
        NODE_OPTIONS: `--import=${SHIFT}`,
        SHIFT_CLOCK_MS: String(shiftMs),
        RISKGATE_ADMIN_TOKEN: TOKEN,
        RISKGATE_DATABASE_URL: database,
        RISKGATE_DATA_DIR: mkdtempSync(join(scratch.path, "data-")),
      },
    },
  );
  onTestFinished(async () => {
    command.child.kill("SIGKILL");
    await command.ended;
  });
  const url = `http://127.0.0.1:${adminPort}/admin/v1`;
  await expect.poll(() => post(`${url}/applications`, {}).catch(() => "down"), POLL).toBe(400);
  return { url, command };
}

async function post(url: string, body: unknown): Promise<number> {
  return (await answer(url, body)).status;
}

function answer(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** An endpoint that fails until it is mended. Paths tell the applications apart. */
async function endpoint() {
  let isMended = false;
  const [failed, arrived] = [new Set<string>(), new Set<string>()];
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      (isMended ? arrived : failed).add(request.url ?? "");
      response.writeHead(isMended ? 204 : 500).end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, failed, arrived, mend: () => void (isMended = true) };
}

/** So many that both processes own some of them. */
const APPLICATIONS = 12;

describe.skipIf(!hasPostgres)("processes whose clocks differ by two minutes", () => {
  it.each([
    ["ahead", 120_000, 0],
    ["behind", 0, -120_000],
  ])(
    "deliver without waiting for the clock that is %s, and warn of it",
    { timeout: 120_000 },
    async (_, firstMs, secondMs) => {
      const database = await temporaryDatabase();
      const receiver = await endpoint();
      const first = await serve(database, firstMs);
      const second = await serve(database, secondMs);
      for (let number = 0; number < APPLICATIONS; number++) {
        const created = await answer(`${first.url}/applications`, {
          name: "Shop",
          webhookUrl: `${receiver.url}/${number}`,
          allowedDestinations: ["127.0.0.1/32"],
          payloadTypes: ["security_event"],
        });
        const { application } = (await created.json()) as { application: { id: string } };
        const event = [{ event_kind: "xss", ips: ["198.51.100.7"] }];
        expect(await post(`${first.url}/applications/${application.id}/events`, event)).toBe(200);
      }
      await expect.poll(() => receiver.failed.size, POLL).toBe(APPLICATIONS);
      // The other process makes the attempts that this one has planned.
      first.command.child.kill("SIGKILL");
      receiver.mend();
      await expect.poll(() => receiver.arrived.size, POLL).toBe(APPLICATIONS);
      second.command.child.kill("SIGKILL");
      const warned = firstMs === 0 ? second : first;
      expect((await warned.command.ended).stderr).toContain("RISKGATE_CLOCK_DIFFERS");
    },
  );
});
