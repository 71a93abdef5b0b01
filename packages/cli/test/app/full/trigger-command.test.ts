import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createService } from "@riskgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

const scratch = scratchDirectory();
const TOKEN = "administration-token-1";

/** A service with applications that deliver to one receiver, and what it got. */
async function open(applications: number) {
  const received: Record<string, unknown>[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(...(JSON.parse(Buffer.concat(chunks).toString()) as typeof received));
      response.end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const dataDir = join(scratch.path, `data-${port}`);
  const service = await createService({
    dataDir,
    adminToken: TOKEN,
    delivery: { maxWaitMs: 0 },
  });
  onTestFinished(() => service.close());
  const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  for (let count = 0; count < applications; count++) {
    await fetch(`${adminUrl}/admin/v1/applications`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: `Shop ${count}`,
        webhookUrl: `http://127.0.0.1:${port}/`,
        allowedDestinations: ["127.0.0.1/32"],
      }),
    });
  }
  const env = { RISKGATE_ADMIN_URL: adminUrl, RISKGATE_ADMIN_TOKEN: TOKEN };
  return {
    received,
    run: async (...args: string[]) => runCommand(["trigger", ...args], { env }),
  };
}

describe("riskgate trigger", () => {
  it("has an event delivered, and what follows from it", async () => {
    const { run, received } = await open(1);
    const { status, stdout } = await run("sql_injection", "--ip", "198.51.100.7", "--json");
    expect(status).toBe(0);
    const { event } = JSON.parse(stdout) as { event: string };
    await expect
      .poll(() => received)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ event_id: event, event_kind: "sql_injection" }),
          expect.objectContaining({ pulse_genre: "injection_sql" }),
        ]),
      );
  });

  it("has a test payload delivered", async () => {
    const { run, received } = await open(1);
    expect(await run("test")).toMatchObject({ status: 0 });
    await expect.poll(() => received).toMatchObject([{ service_payload_type: "test" }]);
  });

  it.each<[string, number, string[], string]>([
    ["an unknown kind", 1, ["sql_injektion"], "Did you mean sql_injection?"],
    ["one of many like it", 1, ["auth_brutforce"], "Did you mean auth_bruteforce?"],
    ["no application", 0, ["test"], "riskgate app create"],
    ["several applications", 2, ["test"], "--app"],
    ["an invalid address", 1, ["test", "--ip", "300.1.1.1"], "expected an IP address"],
  ])("refuses %s, and says what to do", async (_, applications, args, advice) => {
    const { run, received } = await open(applications);
    const { status, stderr } = await run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(advice);
    expect(received).toEqual([]);
  });
});
