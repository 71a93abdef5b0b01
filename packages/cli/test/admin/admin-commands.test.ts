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
  createdAt: "2026-01-31",
};

const INCIDENT = {
  id: "i1",
  genre: "account_takeover",
  startedAt: "2026-01-31",
  endedAt: null,
  payload: { incidents_count: 4, humanized_title: "Attack \u001b[2J" },
};
const EVENT = {
  id: "e1",
  kind: "xss",
  occurredAt: "2026-01-31",
  highRisk: true,
  payload: { humanized_description: "\u001b[31m" },
};
const RESPONSE = {
  createdAt: "2026-02-01",
  endsAt: "2026-02-02",
  payload: {
    properties: { ips: [{ ip_cidr: "192.0.2.1/32" }], user_identifiers: [{ email: "a@x.y" }] },
  },
};
const RULE = { name: "Block", rule: { kinds: ["xss"] } };
const PLAYBOOK = { id: "p1", applicationId: APPLICATION.id, enabled: true, ...RULE };
const BLOCK = {
  applicationId: APPLICATION.id,
  type: "network",
  target: "198.51.100.7/32",
  since: "2026-01-31",
  until: "2026-02-01",
  playbook: { id: "p1", name: "Block" },
};
const SENT_TO = [
  { id: APPLICATION.id, name: "Shop", isSent: true },
  { id: "b1", name: "Blog", isSent: false },
];
const DRY_RUN = {
  since: "2026-01-01",
  events: 3,
  isPartial: false,
  responseCount: 1,
  responses: [RESPONSE],
};

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** Serve one answer to everything, and keep what was asked. */
async function serveAdmin(status: number, answer: object, applications?: object) {
  const asked: Asked[] = [];
  const url = await serve((request, response) => {
    if (applications && request.url === `${BASE}/applications`) {
      response.end(JSON.stringify(applications));
      return;
    }
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
  it.each<[string[], string, unknown, object, RegExp]>([
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
        keys: [{ id: "k1", hint: "abcd", scope: "report", quota: null, revokedAt: "2026" }],
      },
      /Name +Shop\n(?:.*\n)+Key k1 +\.\.\.abcd \(reports\) \(revoked\), no quota\n$/,
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
      ["app", "key", ID, "--set", "k1", "--quota", "9"],
      `PATCH ${BASE}/applications/${ID}/keys/k1`,
      { quota: { requests: 9, seconds: 60 } },
      { key: { id: "k1", quota: { requests: 9, seconds: 60 } } },
      /^Key k1: 9 requests in 60 seconds\n$/,
    ],
    [
      ["app", "key", ID, "--set", "k1", "--quota", "0"],
      `PATCH ${BASE}/applications/${ID}/keys/k1`,
      { quota: null },
      { key: { id: "k1", quota: null } },
      /^Key k1: no quota\n$/,
    ],
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
      ["rules", "list"],
      `GET ${BASE}/rules`,
      undefined,
      { rules: [{ name: "ours", outcome: "allow", when: { asn: [64500] } }] },
      /^NAME +OUTCOME.*\nours +allow +\{"asn":\[64500\]\}\n$/,
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
      /^ID +CREATED +STATE.*\n0d9c4e +2026-01-31 +dead +3 +900 +12 +503\n$/,
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
      ["deliveries", "retry-all", "--app", ID, "--since", "2026-01-31", "--before", "2026-02-01"],
      `POST ${BASE}/deliveries/retry`,
      {
        state: "dead",
        applicationId: ID,
        createdSince: "2026-01-31",
        createdBefore: "2026-02-01",
        afterSeq: 0,
      },
      { retried: 3, nextAfterSeq: null },
      /^Deliveries sent again: 3\n$/,
    ],
    [
      ["app", "set", ID, "--max-deliveries-per-minute", "60"],
      `PATCH ${BASE}/applications/${ID}`,
      { maxDeliveriesPerMinute: 60 },
      { application: APPLICATION },
      /none\n$/,
    ],
    [
      ["app", "set", ID, "--max-deliveries-per-minute", "0"],
      `PATCH ${BASE}/applications/${ID}`,
      { maxDeliveriesPerMinute: null },
      { application: APPLICATION },
      /none\n$/,
    ],
    [
      ["incidents", "list", "--app", ID, "--genre", "account_takeover", "--open", "--limit", "5"],
      `GET ${BASE}/incidents?applicationId=${ID}&genre=account_takeover&open=true&limit=5`,
      undefined,
      { incidents: [INCIDENT] },
      /^ID +GENRE.*\ni1 +account_takeover +2026-01-31 +ongoing +4 +Attack \\u001b\[2J\n$/,
    ],
    [
      ["incidents", "show", "i/1"],
      `GET ${BASE}/incidents/i%2F1`,
      undefined,
      {
        incident: INCIDENT,
        events: [EVENT],
        isPartial: true,
        addresses: [{ name: "192.0.2.1", events: 4 }],
        accounts: [{ name: "a\u001b@x.y", events: 4 }],
        responses: [RESPONSE],
      },
      /\naddress +192\.0\.2\.1 +4 events\naccount +a\\u001b@x\.y .*\nevent +e1 .*\nresponse +192\.0\.2\.1\/32 email=a@x\.y +2026-02-01\nThere are more events\.\n$/,
    ],
    [
      ["events", "list", "--kind", "xss", "--ip", "192.0.2.1", "--limit", "5"],
      `GET ${BASE}/events?kind=xss&ip=192.0.2.1&limit=5`,
      undefined,
      { events: [EVENT] },
      /^ID +KIND.*\ne1 +xss +2026-01-31 +high +\\u001b\[31m\n$/,
    ],
    [
      ["events", "show", "e1"],
      `GET ${BASE}/events/e1`,
      undefined,
      { events: [{ event: EVENT, incidents: [INCIDENT], responses: [RESPONSE] }] },
      /\nDescription +\\u001b\[31m\nincident +i1 .*\nresponse +192\.0\.2\.1\/32 .*\npayload +\{.*\n$/,
    ],
    [
      ["blocks", "list", "--app", ID],
      `GET ${BASE}/blocks?applicationId=${ID}`,
      undefined,
      { blocks: [BLOCK] },
      /^TARGET +APPLICATION.*\n198\.51\.100\.7\/32 +5f1e7c0a +2026-01-31 +2026-02-01 +Block\n$/,
    ],
    [
      ["blocks", "add", "198.51.100.7", "ann@x.y", "--minutes", "90", "--note", "spam"],
      `POST ${BASE}/blocks`,
      { ips: ["198.51.100.7"], accounts: ["ann@x.y"], durationMs: 5_400_000, note: "spam" },
      { sentTo: SENT_TO },
      /^Blocked 198\.51\.100\.7, ann@x\.y for 90 minutes in Shop; Blog, which receives no security responses\n$/,
    ],
    [
      ["blocks", "release", "2001:DB8::1", "--app", ID],
      `POST ${BASE}/releases`,
      { ips: ["2001:DB8::1"], applicationId: ID },
      { sentTo: SENT_TO.slice(0, 1) },
      /^Released 2001:DB8::1 in Shop\n$/,
    ],
    [
      ["blocks", "release", "ann"],
      `POST ${BASE}/releases`,
      { accounts: ["ann"] },
      { sentTo: [] },
      /^Nothing released: no application blocks any of them\n$/,
    ],
    [
      ["blocks", "allow", "198.51.100.7"],
      `POST ${BASE}/allowances`,
      { ips: ["198.51.100.7"], allowed: true },
      { sentTo: SENT_TO.slice(0, 1) },
      /^Allowed 198\.51\.100\.7, released in Shop\n$/,
    ],
    [
      ["blocks", "allow", "ann@x.y", "--remove"],
      `POST ${BASE}/allowances`,
      { accounts: ["ann@x.y"], allowed: false },
      { sentTo: [] },
      /^No longer allowed: ann@x\.y\n$/,
    ],
    [
      ["playbooks", "list", "--app", ID],
      `GET ${BASE}/applications/${ID}/playbooks`,
      undefined,
      { playbooks: [PLAYBOOK] },
      /^ID +APPLICATION.*\np1 +5f1e\S+ +on +Block +\{"kinds":\["xss"\]\}\n$/,
    ],
    [
      ["playbooks", "list"],
      `GET ${BASE}/playbooks`,
      undefined,
      { playbooks: [] },
      /^ID +APPLICATION/,
    ],
    [
      ["playbooks", "add", ID, scratch.file("playbook.json", JSON.stringify(RULE))],
      `POST ${BASE}/applications/${ID}/playbooks`,
      RULE,
      { playbook: PLAYBOOK },
      /^p1\n$/,
    ],
    [
      ["playbooks", "remove", "p1"],
      `DELETE ${BASE}/playbooks/p1`,
      undefined,
      { deleted: true },
      /^Removed p1\n$/,
    ],
    [
      ["playbooks", "dry-run", "p1", "--days", "30"],
      `POST ${BASE}/playbooks/p1/dry-run`,
      { days: 30 },
      DRY_RUN,
      /^1 response to 3 events since 2026-01-01\n2026-02-01 +until 2026-02-02 +192\.0\.2\.1\/32 email=a@x\.y\n$/,
    ],
    [
      ["playbooks", "dry-run", "p1"],
      `POST ${BASE}/playbooks/p1/dry-run`,
      { days: 7 },
      { ...DRY_RUN, responseCount: 0, responses: [] },
      /^0 responses to 3 events since 2026-01-01\nNo events matched the rule/,
    ],
    [
      ["playbooks", "dry-run", "--app", ID, "--file", scratch.file("p.json", JSON.stringify(RULE))],
      `POST ${BASE}/applications/${ID}/playbooks/dry-run`,
      { ...RULE, days: 7 },
      DRY_RUN,
      /^1 response/,
    ],
    [
      ["erase", "account", "ada@shop.example", "--yes"],
      `POST ${BASE}/erasures`,
      { account: "ada@shop.example" },
      { erased: { ledger: 2 } },
      /^Erased ada@shop\.example: ledger 2\n$/,
    ],
  ])("asks for %j with the token", async (args, line, body, answer, shown) => {
    // A filter is checked against the applications.
    const applications = args.includes("--app") ? { applications: [APPLICATION] } : undefined;
    const { asked, run } = await serveAdmin(200, answer, applications);
    const result = await run(...args);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(result.stdout).toMatch(shown);
    expect(asked).toMatchObject([{ line, body, headers: { authorization: `Bearer ${TOKEN}` } }]);
    expect(jsonLines((await run(...args, "--json")).stdout)).toHaveLength(1);
  });

  it.each([
    [401, 4, "UNAUTHORIZED", "Check RISKGATE_ADMIN_TOKEN"],
    [403, 4, "UNAUTHORIZED", "--admin-origin"],
    [400, 1, "BAD_REQUEST", "Correct the named value; nothing was changed"],
    [404, 1, "BAD_REQUEST", "administration URL"],
    [405, 1, "BAD_REQUEST", "administration URL"],
    [409, 1, "BAD_REQUEST", "Correct the named value; nothing was changed"],
    [429, 1, "BAD_REQUEST", "Wait a minute, and check RISKGATE_ADMIN_TOKEN"],
    [503, 3, "UPSTREAM_STATUS", ""],
  ])("takes status %d for exit code %d, and shows no token", async (...expected) => {
    const [status, exitCode, code, hint] = expected;
    const { run } = await serveAdmin(status, { code: status, details: "for the test" });
    const result = await run("app", "list", "--json");
    expect(result).toMatchObject({ status: exitCode, stdout: "" });
    const { error } = jsonLines<{ error: { code: string; hint: string } }>(result.stderr).at(0)!;
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
    expect(result.stderr).not.toContain(TOKEN);
  });

  it("sends deliveries again page by page, and adds them up", async () => {
    let more = 2;
    const { asked, run } = await serveAdmin(200, {
      retried: 1_000,
      get nextAfterSeq() {
        return more-- > 0 ? 7 : null;
      },
    });
    const result = await run("deliveries", "retry-all", "--state", "cancelled", "--json");
    expect(jsonLines(result.stdout)).toEqual([{ retried: 3_000 }]);
    expect(asked.map(({ body }) => body)).toEqual(
      [0, 7, 7].map((afterSeq) => ({ state: "cancelled", afterSeq })),
    );
  });

  it("names the option of a time that the service refuses", async () => {
    const details = "`createdSince`: expected ISO 8601";
    const { run } = await serveAdmin(400, { code: 400, details });
    const { status, stderr } = await run("deliveries", "retry-all", "--since", "yesterday");
    expect(status).toBe(1);
    expect(stderr).toContain("--since: expected ISO 8601");
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
    expect(run.stderr).toContain("The old secret signs until 2026-01-31T12:00:00.000Z.");
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
      "at an invalid URL",
      ["app", "list"],
      { RISKGATE_ADMIN_URL: "ftp://x", RISKGATE_ADMIN_TOKEN: TOKEN },
    ],
    ["on a directory that is missing", ["app", "list", "--data-dir", "no-such-directory"], {}],
    ["a dry run of nothing", ["playbooks", "dry-run"], {}],
    ["a dry run of two playbooks", ["playbooks", "dry-run", "p", "--app", "a", "--file", "f"], {}],
    ["a playbook that does not exist", ["playbooks", "add", ID, "no-such-file"], {}],
    ["the block of an address with a typing error", ["blocks", "add", "203.0.113.300"], {}],
    ["the block of a network", ["blocks", "add", "2001:db8::/32"], {}],
    ["a block longer than 30 days", ["blocks", "add", "ann@x.y", "--minutes", "43201"], {}],
    ["the erasure of an invalid address", ["erase", "ip", "foo", "--yes"], {}],
    ["a deletion that is not meant", ["app", "delete", ID], {}],
    ["an erasure that is not meant", ["erase", "ip", "203.0.113.7"], {}],
  ])("refuses to work %s, with exit code 2", async (_, args, env) => {
    const run = await runCommand(args, { env, cwd: scratch.path });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).not.toBe("");
  });

  it("says that a test payload needs a running service", async () => {
    const run = await runCommand(["trigger", "test", "--data-dir", scratch.path]);
    expect(run).toMatchObject({ status: 3, stdout: "" });
    expect(run.stderr).toContain(`no service is running on the data directory ${scratch.path}`);
    expect(run.stderr).toContain("riskgate serve");
  });

  it.each([
    [["erase", "ip"], "missing required argument 'ip'"],
    [["erase", "ip", "203.0.113.7"], "this cannot be undone"],
    [["app", "delete", ID], "this cannot be undone"],
    [["app", "key", ID, "--quota-seconds", "20"], "--quota-seconds needs --quota"],
    [["app", "key", ID, "--set", "k1"], "--set needs --quota"],
  ])("says what %j lacks", async (args, message) => {
    expect((await runCommand(args)).stderr).toContain(message);
  });

  it.each([
    [["deliveries", "show", "d1"], "the service has no delivery d1", "deliveries list"],
    [["playbooks", "add", "a/1", "FILE"], "the service has no application a/1", "app list"],
    [["app", "key", ID, "--revoke", "k1"], `no application ${ID}, or that has no k1`, "app list"],
  ])("says what %j did not find", async (args, message, hint) => {
    const { run } = await serveAdmin(404, { code: 404, details: "No such resource" });
    const file = scratch.file("playbook", "{}");
    const { status, stderr } = await run(...args.map((arg) => (arg === "FILE" ? file : arg)));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`riskgate ${hint}`);
  });
});
