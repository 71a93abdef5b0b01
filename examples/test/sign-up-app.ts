import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runNode } from "../../tools/test/run-node.js";
import { root } from "../../tools/workspace.mjs";
import { type Program, startProgram } from "./program.js";

/** Parts of `@riskgate/testing` that play the service. */
export interface Sender {
  readonly payloads: {
    securityEvent(): object;
    incident(): object;
    securityResponse(members: {
      properties: { ips: []; user_identifiers: { email: string }[] };
    }): object;
    test(): object;
  };
  readonly signDelivery: (
    payloads: readonly object[],
    secret: string,
  ) => { readonly body: Buffer; readonly headers: Record<string, string> };
}

const SECRET = "hook-secret-1";
const SCRIPT = "dist/server.js";
const MAX_LINES = 60;

/** Tests one of the sign-up apps, which differ by framework and settings only. */
export function describeSignUpApp(
  name: string,
  { payloads, signDelivery }: Sender,
  settings: Readonly<Record<string, string>> = {},
): void {
  const folder = join(root, "examples", name);
  const title = [`examples/${name}`, ...Object.values(settings)].join(" on ");
  const start = (): Program =>
    startProgram(folder, [SCRIPT], { PORT: "0", RISKGATE_SIGNING_SECRET: SECRET, ...settings });
  const addressOf = async (app: Program): Promise<string> =>
    (await app.printed(/listening on (\S+)/))[1] ?? "";

  const json = { "content-type": "application/json" };
  const signUp = (base: string, email: string): Promise<Response> =>
    fetch(`${base}/signup`, { method: "POST", headers: json, body: JSON.stringify({ email }) });
  const deliver = (base: string, body: Buffer, headers: Record<string, string>) =>
    fetch(`${base}/webhooks/security`, { method: "POST", headers, body });

  describe(title, () => {
    let app: Program;
    let base: string;
    beforeAll(async () => {
      app = start();
      base = await addressOf(app);
    });
    afterAll(() => app.stop("SIGKILL"));

    it.each([
      ["passes an ordinary sign-up", "ada@example.com", 201, { created: true, watched: false }],
      ["flags a disposable address", "x@mailinator.com", 201, { created: true, watched: true }],
      [
        "refuses a harmful address",
        "<script>alert(1)</script>@example.com",
        403,
        { code: "RISK_REJECTED" },
      ],
    ])("%s", async (_, email, status, answer) => {
      const response = await signUp(base, email);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject(answer);
    });

    it("refuses an unsigned webhook", async () => {
      const { body } = signDelivery([payloads.test()], SECRET);
      const response = await deliver(base, body, json);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "SIGNATURE_INVALID" });
      expect(app.output()).not.toContain("test payload received");
    });

    it("handles a signed webhook with all types, and blocks what its response names", async () => {
      const email = "grace@example.com";
      expect((await signUp(base, email)).status).toBe(201);

      const response = payloads.securityResponse({
        properties: { ips: [], user_identifiers: [{ email }] },
      });
      const everyType = [payloads.securityEvent(), payloads.incident(), response, payloads.test()];
      const { body, headers } = signDelivery(everyType, SECRET);
      expect((await deliver(base, body, headers)).status).toBe(204);

      await app.printed(/event: .+\nincident: .+\ntest payload received/);
      expect((await signUp(base, email)).status).toBe(403);
      expect((await signUp(base, "ada@example.com")).status).toBe(201);
    });

    it("prints foreign text on one line, without anything that controls a terminal", async () => {
      const forged = "a\ntest payload received\r\u001b[2J\u009b2J\u202e\u2028\u{e0041}";
      const everyType = [
        { ...payloads.securityEvent(), humanized_description: `1${forged}` },
        { ...payloads.incident(), humanized_title: `2${forged}` },
      ];
      const { body, headers } = signDelivery(everyType, SECRET);
      expect((await deliver(base, body, headers)).status).toBe(204);
      await app.printed(/event: "1a.+\nincident: "2a.+\n/);
      // oxlint-disable-next-line no-control-regex -- They are what is looked for.
      expect(app.output()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028\u{e0041}]/u);
    });

    it("receives 2,500 events from `riskgate send` as three deliveries", async () => {
      const cli = join(root, "packages/cli/dist/main.js");
      const url = `${base}/webhooks/security`;
      const args = [cli, "send", "--url", url, "--count", "2500", "--json"];
      const { status, stdout } = await runNode(args, root, 30_000, {
        RISKGATE_SIGNING_SECRET: SECRET,
      });
      expect(status).toBe(0);
      const deliveries = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
      expect(deliveries).toMatchObject([
        { payloads: 1000, status: 204 },
        { payloads: 1000, status: 204 },
        { payloads: 500, status: 204 },
      ]);
    });

    it.each(["SIGTERM", "SIGINT"] as const)("ends with exit code 0 on %s", async (signal) => {
      const other = start();
      await signUp(await addressOf(other), "ada@example.com");
      expect(await other.stop(signal)).toBe(0);
    });

    it("names a missing setting that it requires", async () => {
      const { status, stderr } = await runNode([SCRIPT], folder, 50_000, {
        RISKGATE_SIGNING_SECRET: "",
      });
      expect(status).toBe(1);
      expect(stderr).toContain("Set RISKGATE_SIGNING_SECRET to the secret of the application");
    });

    it(`has under ${MAX_LINES} lines`, () => {
      const source = readFileSync(join(folder, "src/server.ts"), "utf8");
      expect(source.trimEnd().split("\n").length).toBeLessThan(MAX_LINES);
    });
  });
}
