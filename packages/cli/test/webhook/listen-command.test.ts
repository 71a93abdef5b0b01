import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { payloads, signDelivery } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CommandSetting,
  jsonLines,
  runCommand,
  type RunningCommand,
  startCommand,
} from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const SECRET = "hook-secret-1";
const env = { RISKGATE_SIGNING_SECRET: SECRET };

interface Listening {
  readonly child: RunningCommand["child"];
  readonly ended: RunningCommand["ended"];
  readonly line: () => Promise<string>;
  readonly listening: string;
  readonly secret?: string;
  readonly post: (body: Uint8Array, headers: Record<string, string>) => Promise<Response>;
}

/** Start `riskgate listen --json` and wait until it listens. */
async function listen(
  options: readonly string[] = [],
  setting: CommandSetting = { env },
): Promise<Listening> {
  const command = startCommand(["listen", "--port", "0", "--json", ...options], setting);
  onTestFinished(() => void command.child.kill("SIGKILL"));
  const started = JSON.parse(await command.line()) as { listening: string; secret?: string };
  const post = async (body: Uint8Array, headers: Record<string, string>) =>
    fetch(`${started.listening}/any/path`, { method: "POST", headers, body: Buffer.from(body) });
  return { ...command, ...started, post };
}

describe("riskgate listen", () => {
  it("shows what a signed delivery holds", async () => {
    const { post, line } = await listen();
    const payload = payloads.securityEvent();
    const { body, headers } = signDelivery([payload, { service_payload_type: "later" }], SECRET);
    expect((await post(body, headers)).status).toBe(204);
    expect(JSON.parse(await line())).toEqual({
      method: "POST",
      path: "/any/path",
      status: 204,
      secret: "RISKGATE_SIGNING_SECRET",
      duplicates: 0,
      payloads: [payload, { service_payload_type: "later" }],
    });
  });

  it("refuses a delivery that is nested too deeply, and continues", async () => {
    const { post, line } = await listen();
    const nested = `${"[".repeat(600_000)}${"]".repeat(600_000)}`;
    const deep = `[{"service_payload_type":"test","x":${nested}}]`;
    const { headers } = signDelivery(deep, SECRET);
    expect((await post(Buffer.from(deep), headers)).status).toBe(400);
    expect(JSON.parse(await line())).toMatchObject({ status: 400, code: "INVALID_JSON" });
    const next = signDelivery([payloads.test()], SECRET);
    expect((await post(next.body, next.headers)).status).toBe(204);
    expect(JSON.parse(await line())).toMatchObject({ status: 204 });
  });

  it("tells what was heard before", async () => {
    const { post, line } = await listen();
    const { body, headers } = signDelivery([payloads.test()], SECRET);
    await post(body, headers);
    await line();
    await post(body, headers);
    expect(JSON.parse(await line())).toMatchObject({ status: 204, duplicates: 1, payloads: [] });
  });

  it("refuses as an application does", async () => {
    const { post, line } = await listen();
    const { body, headers } = signDelivery([payloads.test()], "another-secret");
    expect((await post(body, headers)).status).toBe(401);
    expect(JSON.parse(await line())).toMatchObject({ status: 401, code: "SIGNATURE_INVALID" });
    const broken = signDelivery("[", SECRET);
    expect((await post(broken.body, broken.headers)).status).toBe(400);
    expect(JSON.parse(await line())).toMatchObject({
      status: 400,
      code: "INVALID_JSON",
      payloads: [],
    });
  });

  it("answers the status that it is given, to good deliveries only", async () => {
    const { post } = await listen(["--answer", "503"]);
    const good = signDelivery([payloads.test()], SECRET);
    expect((await post(good.body, good.headers)).status).toBe(503);
    const bad = signDelivery([payloads.test()], "another-secret");
    expect((await post(bad.body, bad.headers)).status).toBe(401);
  });

  describe("with --forward-to", () => {
    /** An application that answers this status, and what it was sent. */
    async function application(status: number) {
      const received: { body: Buffer; signature: unknown; path: string | undefined }[] = [];
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          const signature = request.headers["x-service-integrity"];
          received.push({ body: Buffer.concat(chunks), signature, path: request.url });
          response.writeHead(status).end("thanks");
        });
      }).listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      return { received, server, url: `http://127.0.0.1:${port}/hook?from=cli` };
    }

    it.each([200, 204, 409, 503])("passes on byte for byte, and answers %i", async (status) => {
      const { received, url } = await application(status);
      const { post, line } = await listen(["--forward-to", url]);
      const { body, headers } = signDelivery(`[ ${JSON.stringify(payloads.test())}]\n`, SECRET);
      expect((await post(body, headers)).status).toBe(status);
      const signature = new Headers(headers).get("x-service-integrity");
      expect(received).toEqual([{ body: Buffer.from(body), signature, path: "/hook?from=cli" }]);
      expect(JSON.parse(await line())).toMatchObject({ status, forwarded: { status } });
      // A redelivery goes on as well: the application may have failed the first time.
      expect((await post(body, headers)).status).toBe(status);
      expect(received).toHaveLength(2);
    });

    it("passes nothing on that is not verified, or too large", async () => {
      const { received, url } = await application(200);
      const { post } = await listen(["--forward-to", url, "--max-bytes", "1000"]);
      const forged = signDelivery([payloads.test()], "another-secret");
      expect((await post(forged.body, forged.headers)).status).toBe(401);
      const large = signDelivery([payloads.test(), { fill: "a".repeat(2_000) }], SECRET);
      expect((await post(large.body, large.headers)).status).toBe(413);
      expect(received).toEqual([]);
    });

    it("answers 502, and says why, while the application cannot be reached", async () => {
      const { server, url } = await application(200);
      server.close();
      await once(server, "close");
      const { post, line } = await listen(["--forward-to", url]);
      const { body, headers } = signDelivery([payloads.test()], SECRET);
      expect((await post(body, headers)).status).toBe(502);
      const { forwarded } = JSON.parse(await line()) as { forwarded: { error: string } };
      expect(forwarded.error).toMatch(/could not be reached: ECONNREFUSED/);
    });

    it("is refused together with --answer", async () => {
      const args = ["listen", "--forward-to", "http://127.0.0.1:1", "--answer", "503"];
      const { status, stderr } = await runCommand(args, { env });
      expect(status).toBe(2);
      expect(stderr).toContain("cannot be used with option '--answer <status>'");
    });
  });

  it("makes up a secret and shows it", async () => {
    const { secret, post } = await listen([], {});
    expect(secret).toMatch(/^[0-9a-f]{48}$/);
    const { body, headers } = signDelivery([payloads.test()], secret!);
    expect((await post(body, headers)).status).toBe(204);
  });

  it("takes either secret of a rotation, and names it", async () => {
    const files = ["one", "two"].map((name) => scratch.file(name, `${name}-secret\n`));
    const options = files.flatMap((file) => ["--secret-file", file]);
    const { secret, post, line } = await listen(options, {});
    expect(secret).toBeUndefined();
    const { body, headers } = signDelivery([payloads.test()], "two-secret");
    expect((await post(body, headers)).status).toBe(204);
    expect(JSON.parse(await line())).toMatchObject({ secret: files[1] });
  });

  it("is heard by riskgate send, and ends after --count requests", async () => {
    const { listening, ended } = await listen(["--count", "3"]);
    const args = ["send", "--url", listening, "--type", "pulse", "--count", "2500"];
    expect(await runCommand(args, { env })).toMatchObject({ status: 0 });
    const { status, stdout } = await ended;
    expect(status).toBe(0);
    const counts = jsonLines<{ payloads?: unknown[] }>(stdout).map(
      ({ payloads }) => payloads?.length,
    );
    expect(counts).toEqual([undefined, 1000, 1000, 500]);
  });

  it("prints a line for each payload, safe to show", async () => {
    const command = startCommand(["listen", "--port", "0", "--count", "1"], { env });
    onTestFinished(() => void command.child.kill("SIGKILL"));
    const url = (await command.line()).replace("Listening on ", "");
    const evil = payloads.securityEvent({ humanized_description: "\u001b[2Jgone \u202e" });
    const { body, headers } = signDelivery(
      [evil, payloads.incident(), payloads.securityResponse()],
      SECRET,
    );
    await fetch(url, { method: "POST", headers, body });
    const { status, stdout } = await command.ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(/204 POST \/ {2}3 payloads\n/);
    expect(stdout).toContain("security_event  auth_bruteforce  \\u001b[2Jgone \\u202e");
    expect(stdout).toMatch(/pulse {2}account_enumeration/);
    expect(stdout).toMatch(/security_response {2}Block brute force {2}203\.0\.113\.7\/32/);
    // oxlint-disable-next-line no-control-regex -- They are what must not be there.
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends with exit code 0 at %s", async (signal) => {
    const { child, ended } = await listen();
    child.kill(signal);
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
  });

  it("refuses a port that is taken, with exit code 2", async () => {
    const { listening } = await listen();
    const port = new URL(listening).port;
    const run = await runCommand(["listen", "--port", port], { env });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("EADDRINUSE");
  });
});
