import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFakeService, type FakeService, payloads, signDelivery } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Program, startProgram } from "../../../test/program.js";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const next = createRequire(join(folder, "package.json")).resolve("next/dist/bin/next");
const SECRET = "hook-secret-1";

let service: FakeService;
let server: Program;
let url: string;

// The application is built and started like a user's, on Node and with the local network.
beforeAll(async () => {
  service = await createFakeService({
    answers: {
      "9.9.9.9": { risk_score: 95 },
      "watched@shop.example": { risk_score: 60 },
      "bad@shop.example": { risk_score: 95 },
    },
  });
  const settings = {
    NEXT_TELEMETRY_DISABLED: "1",
    RISKGATE_BASE_URL: service.baseUrl,
    RISKGATE_API_KEY: "fake-key-1",
    RISKGATE_SIGNING_SECRET: SECRET,
  };
  const build = startProgram(folder, [next, "build"], settings, 300_000);
  if ((await build.ended) !== 0) throw new Error(build.output());
  server = startProgram(
    folder,
    [next, "start", "--port", "0", "-H", "127.0.0.1"],
    settings,
    300_000,
  );
  const [, origin] = await server.printed(/(http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ready/);
  url = origin ?? "";
}, 400_000);
afterAll(async () => {
  await server?.stop("SIGTERM");
  await service?.close();
  rmSync(join(folder, ".next"), { recursive: true, force: true });
});

const signUp = (email: string, address = "8.8.8.8"): Promise<Response> =>
  fetch(`${url}/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-real-ip": address },
    body: JSON.stringify({ email }),
  });

/** Retries, because the gate passes requests that the service does not answer within the budget. */
const known = async (email: string, address: string, status: number): Promise<void> =>
  expect.poll(async () => (await signUp(email, address)).status).toBe(status);

const deliver = (body: Buffer, headers: Record<string, string>): Promise<Response> =>
  fetch(`${url}/webhooks/security`, { method: "POST", headers, body });

describe("examples/next", () => {
  it("passes, flags and rejects sign-ups, whose bodies its handler reads", async () => {
    const passed = await signUp("ada@shop.example");
    expect(passed.status).toBe(201);
    expect(await passed.json()).toEqual({ form: { email: "ada@shop.example" }, watched: false });
    await expect
      .poll(async () => (await signUp("watched@shop.example")).json())
      .toMatchObject({ watched: true });
    await known("bad@shop.example", "8.8.8.8", 403);
    await known("ada@shop.example", "9.9.9.9", 403);
    for (const refused of [
      await signUp("bad@shop.example"),
      await signUp("ada@shop.example", "9.9.9.9"),
    ]) {
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ code: "RISK_REJECTED" });
    }
  });

  it("guards what its proxy matches, by the address", async () => {
    const visit = (address: string): Promise<Response> =>
      fetch(`${url}/account`, { headers: { "x-real-ip": address } });
    expect(await (await visit("8.8.8.8")).json()).toEqual({ account: "ada" });
    await expect.poll(async () => (await visit("9.9.9.9")).status).toBe(403);
    for (const path of ["/account/", "//account", "/%61ccount", "/ACCOUNT", "/account.rsc"]) {
      const answer = await fetch(`${url}${path}`, { headers: { "x-real-ip": "9.9.9.9" } });
      expect(answer.ok, path).toBe(false);
    }
  });

  it("handles a signed delivery, and refuses a forged one, a large one and other methods", async () => {
    const { body, headers } = signDelivery([payloads.test()], SECRET);
    expect((await deliver(body, headers)).status).toBe(204);
    expect((await deliver(Buffer.concat([body, Buffer.from(" ")]), headers)).status).toBe(401);
    const large = Buffer.alloc(5 * 1_048_576 + 1, " ");
    expect((await deliver(large, signDelivery(large, SECRET).headers)).status).toBe(413);
    const stream = new Response(large).body;
    const chunked = await fetch(`${url}/webhooks/security`, {
      method: "POST",
      headers: signDelivery(large, SECRET).headers,
      body: stream,
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
    expect((await fetch(`${url}/webhooks/security`)).status).toBe(405);
    // Next.js answers without calling a handler.
    const options = await fetch(`${url}/webhooks/security`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
  });
});
