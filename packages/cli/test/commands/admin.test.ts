import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { deadUrl, serve } from "../support/receiver.js";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

/** These commands against scripted answers; `service.test.ts` has them against the service. */

const scratch = scratchDirectory();
const TOKEN = "admin-token-1";
const APPLICATION = {
  id: "5f1e7c0a9b3d4e2f8a6c1d70",
  name: "Shop",
  environment: "production",
  kind: "ordinary",
  webhookUrl: null,
  disabledReason: null,
};
const DELIVERY = {
  id: "0d9c4e",
  applicationId: APPLICATION.id,
  state: "dead",
  payloadCount: 3,
  bodyBytes: 900,
  attempts: 12,
  lastStatus: 503,
  lastError: null,
};

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** Serve one answer to everything, and keep what was asked. */
async function serveAdmin(status: number, answer: unknown) {
  const asked: Asked[] = [];
  const url = await serve((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
  });
  const run = (...args: string[]) =>
    runCommand(args, { env: { RISKGATE_ADMIN_URL: url, RISKGATE_ADMIN_TOKEN: TOKEN } });
  return { url, asked, run };
}

const ID = APPLICATION.id;
const BASE = "/admin/v1";

describe("administration", () => {
  it.each<[string[], string, unknown, unknown, RegExp]>([
    [
      ["app", "create", "Shop", "--environment", "staging", "--sandbox", "--allow", "10.0.0.0/8"],
      `POST ${BASE}/applications`,
      {
        name: "Shop",
        environment: "staging",
        kind: "sandbox",
        allowedDestinations: ["10.0.0.0/8"],
      },
      { application: APPLICATION, key: "key-1", secret: "secret-1" },
      /^Application +5f1e.*\nAPI key +key-1\nSigning secret +secret-1\nThe key is not shown again\.\n$/,
    ],
    [
      ["app", "list"],
      `GET ${BASE}/applications`,
      undefined,
      { applications: [{ ...APPLICATION, name: "Sh\u001bop" }] },
      /^ID +NAME.*\n5f1e\S+ +Sh\\u001bop +production +ordinary +none\n$/,
    ],
    [
      ["app", "show", ID],
      `GET ${BASE}/applications/${ID}`,
      undefined,
      {
        application: APPLICATION,
        keys: [{ id: "k1", hint: "abcd", scope: "report", revokedAt: "2026" }],
      },
      /name +Shop\n(?:.*\n)+key k1 +\.\.\.abcd \(reports\) \(revoked\)\n$/,
    ],
    [
      ["app", "set", ID, "--webhook-url", "https://app.example/hook", "--max-body-bytes", "100000"],
      `PATCH ${BASE}/applications/${ID}`,
      { webhookUrl: "https://app.example/hook", maxBodyBytes: 100_000 },
      { application: { ...APPLICATION, webhookUrl: "https://app.example/hook" } },
      /https:\/\/app\.example\/hook\n$/,
    ],
    [
      ["app", "disable", ID],
      `POST ${BASE}/applications/${ID}/disable`,
      {},
      { application: { ...APPLICATION, disabledReason: "by hand" } },
      /off: by hand\n$/,
    ],
    [
      ["app", "key", ID, "--report"],
      `POST ${BASE}/applications/${ID}/keys`,
      { scope: "report" },
      { key: "key-3" },
      /^key-3\n$/,
    ],
    [["app", "key", ID], `POST ${BASE}/applications/${ID}/keys`, {}, { key: "key-2" }, /^key-2\n$/],
    [
      ["app", "key", ID, "--revoke", "k/1"],
      `DELETE ${BASE}/applications/${ID}/keys/k%2F1`,
      undefined,
      { revoked: true },
      /^Revoked k\/1\n$/,
    ],
    [
      ["app", "rotate", ID, "--overlap-hours", "48"],
      `POST ${BASE}/applications/${ID}/secrets`,
      { overlapMs: 172_800_000 },
      { secret: "secret-2" },
      /^secret-2\n$/,
    ],
    [
      ["app", "rotate", ID, "--finish"],
      `POST ${BASE}/applications/${ID}/secrets/finish`,
      {},
      { finished: true },
      /^The new secret signs from now on\n$/,
    ],
    [
      ["app", "test", ID],
      `POST ${BASE}/applications/${ID}/test`,
      {},
      { id: "p1" },
      /p1 is on its way/,
    ],
    [
      ["app", "delete", ID, "--yes"],
      `DELETE ${BASE}/applications/${ID}`,
      undefined,
      { deleted: true },
      /^Deleted 5f1e/,
    ],
    [
      ["deliveries", "list", "--app", ID, "--state", "dead", "--limit", "5"],
      `GET ${BASE}/deliveries?applicationId=${ID}&state=dead&limit=5`,
      undefined,
      { deliveries: [DELIVERY] },
      /^ID +STATE.*\n0d9c4e +dead +3 +900 +12 +503\n$/,
    ],
    [
      ["deliveries", "show", "0d9c4e"],
      `GET ${BASE}/deliveries/0d9c4e`,
      undefined,
      {
        delivery: DELIVERY,
        attempts: [
          {
            number: 1,
            status: 308,
            error: null,
            durationMs: 4,
            location: "/x/",
            excerpt: "\u001b[2J",
          },
        ],
      },
      /\n#1 +308 +4 ms +redirects to \/x\/ +\\u001b\[2J\n$/,
    ],
    [
      ["deliveries", "retry", "0d9c4e"],
      `POST ${BASE}/deliveries/0d9c4e/retry`,
      {},
      { delivery: { ...DELIVERY, state: "pending" } },
      /^0d9c4e is pending\n$/,
    ],
    [
      ["erase", "account", "ada@shop.example", "--yes"],
      `POST ${BASE}/erasures`,
      { account: "ada@shop.example" },
      { erased: { ledger: 2 } },
      /^Erased ada@shop\.example: \{"ledger":2\}\n$/,
    ],
  ])("asks for %j with the token", async (args, line, body, answer, shown) => {
    const { asked, run } = await serveAdmin(200, answer);
    const result = await run(...args);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(result.stdout).toMatch(shown);
    expect(asked).toMatchObject([{ line, body, headers: { authorization: `Bearer ${TOKEN}` } }]);
    expect(jsonLines((await run(...args, "--json")).stdout)).toHaveLength(1);
  });

  it.each([
    [401, 4, "UNAUTHORIZED"],
    [403, 4, "UNAUTHORIZED"],
    [400, 1, "BAD_REQUEST"],
    [404, 1, "BAD_REQUEST"],
    [409, 1, "BAD_REQUEST"],
    [503, 3, "UPSTREAM_STATUS"],
  ])("takes status %d for exit code %d, and shows no token", async (status, exitCode, code) => {
    const { run } = await serveAdmin(status, { code: status, details: "for the test" });
    const result = await run("app", "list", "--json");
    expect(result).toMatchObject({ status: exitCode, stdout: "" });
    expect(jsonLines<{ error: { code: string } }>(result.stderr).at(0)!.error.code).toBe(code);
    expect(result.stderr).not.toContain(TOKEN);
  });

  it("takes a new signing secret from a file or from standard input, and says when it signs", async () => {
    const signsFrom = "2026-01-31T12:00:00.000000+00:00";
    const { url, asked } = await serveAdmin(201, { secret: "chosen", signsFrom });
    // That of the environment is the one in use.
    const env = {
      RISKGATE_ADMIN_URL: url,
      RISKGATE_ADMIN_TOKEN: TOKEN,
      RISKGATE_SIGNING_SECRET: "in use",
    };
    const rotate = (file: string, input?: string) =>
      runCommand(["app", "rotate", ID, "--secret-file", file], { env, ...(input && { input }) });
    const run = await rotate(scratch.file("secret", "from a file\n"));
    expect(run).toMatchObject({ status: 0, stdout: "chosen\n" });
    expect(run.stderr).toContain(`The old secret signs until ${signsFrom}`);
    expect(await rotate("-", "from standard input\n")).toMatchObject({ status: 0 });
    expect(asked.map(({ body }) => body)).toEqual(
      ["from a file", "from standard input"].map((secret) => ({ overlapMs: 86_400_000, secret })),
    );
    expect(await rotate("-", " \n")).toMatchObject({ status: 2 });
    expect(await rotate(scratch.file("blank", ""))).toMatchObject({ status: 2 });
    expect(asked).toHaveLength(2);
  });

  it("takes URL and token from options as well", async () => {
    const { url, asked } = await serveAdmin(200, { applications: [] });
    const file = scratch.file("token", `${TOKEN}\n`);
    const args = ["app", "list", "--admin-url", url, "--admin-token-file", file];
    expect(await runCommand(args)).toMatchObject({ status: 0 });
    expect(asked).toHaveLength(1);
  });

  it("says that a service is not reached, with exit code 3", async () => {
    const env = { RISKGATE_ADMIN_URL: await deadUrl(), RISKGATE_ADMIN_TOKEN: TOKEN };
    const run = await runCommand(["app", "list"], { env });
    expect(run).toMatchObject({ status: 3, stdout: "" });
    expect(run.stderr).toContain("ECONNREFUSED");
  });

  it.each<[string, string[], Record<string, string>]>([
    ["without a token", ["app", "list"], { RISKGATE_ADMIN_URL: "http://127.0.0.1:9" }],
    [
      "at a URL that is none",
      ["app", "list"],
      { RISKGATE_ADMIN_URL: "ftp://x", RISKGATE_ADMIN_TOKEN: TOKEN },
    ],
    ["on a directory that is missing", ["app", "list", "--data-dir", "no-such-directory"], {}],
    ["a deletion that is not meant", ["app", "delete", ID], {}],
    ["an erasure that is not meant", ["erase", "ip", "203.0.113.7"], {}],
  ])("refuses to work %s, with exit code 2", async (_, args, env) => {
    const run = await runCommand(args, { env, cwd: scratch.path });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).not.toBe("");
  });
});
