import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createGate } from "@riskgate/core";
import { createDecisionLog, createIdentityDigest } from "@riskgate/core/log";
import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { logText, recordOf, SECRET } from "../support/decision-records.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import type { RehearsalResult } from "../../src/rehearsal/rehearsal.js";

const scratch = scratchDirectory();
let files = 0;
const file = (text: string) => scratch.file(`${files++}.jsonl`, text);

async function rehearse(log: string, ...args: string[]): Promise<RehearsalResult> {
  const run = await runCommand(["rehearse", "--log", log, "--format", "json", ...args]);
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(run.stdout) as RehearsalResult;
}

describe("riskgate rehearse", () => {
  it("switches attack mode on and off", async () => {
    const attack = { failures: 31, limit: 30, sign: "success_ratio", enforced: false } as const;
    const log = file(
      logText([
        recordOf(10, {}, { device: "new", attack }),
        recordOf(10, {}, { device: "known" }),
        recordOf(
          10,
          {},
          {
            device: "new",
            attack: { ...attack, enforced: true },
            outcome: "challenge",
            because: "attack_mode",
          },
        ),
      ]),
    );
    const rehearsed = async (...args: string[]) => (await rehearse(log, ...args)).rehearsed;
    expect(await rehearsed()).toMatchObject({ allow: 2, challenge: 1 });
    expect(await rehearsed("--attack-mode", "on")).toMatchObject({ allow: 1, challenge: 2 });
    expect(await rehearsed("--attack-mode", "off")).toMatchObject({ allow: 3, challenge: 0 });
  });

  it("shows what would change: counts, routes, days, flips and their signals", async () => {
    const log = file(
      logText([
        recordOf(10),
        recordOf(35, { flags: ["is_vpn"] }),
        recordOf(75, { flags: ["is_vpn", "is_proxy"] }),
        recordOf(95),
        recordOf(75, {}, { route: "POST /login", at: "2026-03-02T00:00:00.000Z" }),
      ]),
    );
    const found = await rehearse(log, "--reject-above", "70", "--flag-above", "30");
    expect(found).toMatchObject({
      thresholds: { flagAbove: 30, rejectAbove: 70 },
      lines: 5,
      decisions: 5,
      recorded: { allow: 2, flag: 2, reject: 1 },
      rehearsed: { allow: 1, flag: 1, reject: 3 },
      changed: 3,
      from: "2026-03-01T12:00:00.000Z",
      to: "2026-03-02T00:00:00.000Z",
      routes: [
        { route: "POST /signup", decisions: 4, changed: 2 },
        { route: "POST /login", decisions: 1, changed: 1 },
      ],
      days: [
        { day: "2026-03-01", changed: 2 },
        { day: "2026-03-02", changed: 1 },
      ],
      flips: [
        {
          from: "flag",
          to: "reject",
          decisions: 2,
          signals: [
            { signal: "ip is_vpn", decisions: 1 },
            { signal: "ip is_proxy", decisions: 1 },
            { signal: "ip score alone", decisions: 1 },
          ],
        },
        { from: "allow", to: "flag", decisions: 1 },
      ],
      labels: null,
    });
    expect(found.examples.map(({ line, from, to }) => [line, from, to])).toEqual([
      [2, "allow", "flag"],
      [3, "flag", "reject"],
      [5, "flag", "reject"],
    ]);
  });

  it("tries outcomes of flags", async () => {
    const log = file(logText([recordOf(10, { flags: ["is_vpn"] }), recordOf(10)]));
    const found = await rehearse(log, "--reject", "tor,vpn", "--flag", "proxy");
    expect(found).toMatchObject({
      thresholds: { outcomes: { reject: ["tor", "vpn"], flag: ["proxy"] } },
      flips: [{ from: "allow", to: "reject", signals: [{ signal: "ip is_vpn", decisions: 1 }] }],
    });
  });

  it.each([
    [["--reject", "bot"], "--reject must be a list of known_attacker, datacenter"],
    [["--reject", "tor", "--flag", "tor"], "--flag must be without flags of --reject"],
  ])("refuses wrong flags: %j", async (args, message) => {
    const log = file(logText([recordOf(10)]));
    const { status, stderr } = await runCommand(["rehearse", "--log", log, ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it("shows the same as a table", async () => {
    const log = file(logText([recordOf(75, { flags: ["is_vpn"] }), recordOf(10)]));
    const { stdout } = await runCommand(["rehearse", "--log", log, "--reject-above", "70"]);
    expect(stdout).toMatch(
      /^2 decisions, 2026-03-01 to 2026-03-01\n1 outcome \(50\.0%\) would change/,
    );
    expect(stdout).toMatch(/^flag +1 \(50\.0%\) +0 \(0\.0%\) +-1$/m);
    expect(stdout).toMatch(/^flag to reject +1 \(50\.0%\) +ip is_vpn 1$/m);
    expect(stdout).toMatch(/^POST \/signup +2 +1 +1 > 0 +0 +0 > 1 +1 \(50\.0%\)$/m);
    expect(stdout).toMatch(/^2026-03-01 +2 /m);
  });

  it("shows the thresholds used, and those that moved to stay in order", async () => {
    const policy = { flagAbove: 40, challengeAbove: 60, rejectAbove: 80 };
    const log = file(logText([recordOf(50, {}, { policy }), recordOf(10, {}, { policy })]));
    const args = ["rehearse", "--log", log];
    const { stdout } = await runCommand([...args, "--reject-above", "49"]);
    expect(stdout).toContain("\nthresholds: flagAbove 40, rejectAbove 49\n");
    expect(stdout).toContain("\nmoved: challengeAbove 60 to 49, because a gate needs");
    const softer = (await runCommand([...args, "--flag-above", "90"])).stdout;
    expect(softer).toContain("\nmoved: challengeAbove 60 to 90, rejectAbove 80 to 90, because");
    const unmoved = (await runCommand([...args, "--flag-above", "30"])).stdout;
    expect(unmoved).toContain("\nthresholds: flagAbove 30, challengeAbove 60, rejectAbove 80\n");
    expect(unmoved).not.toContain("moved");
    expect((await rehearse(log, "--reject-above", "49")).policies).toEqual([
      {
        recorded: policy,
        rehearsed: { flagAbove: 40, challengeAbove: 49, rejectAbove: 49 },
        decisions: 2,
      },
    ]);
  });

  it("names no score of 0 as a signal", async () => {
    const signals = [{ name: "address", count: 300, weight: 90 }] as const;
    const zero = { state: "scored", score: 0, source: "live", flags: [] } as const;
    const record = recordOf(
      90,
      {},
      { ip: zero, email: zero, velocity: { adds: 90, sharedAdds: 0, signals } },
    );
    const { flips } = await rehearse(file(logText([record])), "--reject-above", "95");
    expect(flips).toMatchObject([{ signals: [{ signal: "velocity address", decisions: 1 }] }]);
  });

  it("rehearses what a gate decided and logged", async () => {
    const path = join(scratch.path, "gate.jsonl");
    const log = createDecisionLog({ path, secret: SECRET });
    const gate = createGate({ lookup: createFakeLookup({ "eve@x.com": { risk_score: 75 } }), log });
    for (const email of ["eve@x.com", "ann@x.com"])
      await gate.decide({ email }, { route: "GET /" });
    await log.close();
    expect(await rehearse(path)).toMatchObject({ decisions: 2, changed: 0 });
    expect(await rehearse(path, "--reject-above", "70")).toMatchObject({
      flips: [{ from: "flag", to: "reject", decisions: 1 }],
      routes: [{ route: "GET /" }],
    });
  });

  it("changes nothing without other thresholds, whatever thresholds the log was made with", async () => {
    const policy = { flagAbove: 1, rejectAbove: 2 };
    const found = await rehearse(file(logText([recordOf(3, {}, { outcome: "reject", policy })])));
    expect(found).toMatchObject({ decisions: 1, changed: 0 });
  });

  it("counts broken lines, names the first, and continues", async () => {
    const log = file(`junk\n\n${logText([recordOf(10)])}{"v":1\n${"x".repeat(200_000)}\n[]`);
    const { stdout, status } = await runCommand(["rehearse", "--log", log]);
    expect(status).toBe(0);
    expect(stdout).toContain("1 decision,");
    expect(stdout).toContain(
      `4 lines could not be read; the first: ${log}:1, ${log}:4, ${log}:5, ${log}:6`,
    );
  });

  it("shows nothing of a log as it is that could rewrite a terminal", async () => {
    const evil = "\u001b[2J\u202eevil";
    const record = recordOf(75, { flags: [evil] }, { route: evil });
    const log = file(logText([record]));
    for (const format of ["table", "json"]) {
      const args = ["rehearse", "--log", log, "--reject-above", "70", "--format", format];
      const { stdout } = await runCommand(args);
      expect(stdout).toContain("evil");
      // oxlint-disable-next-line no-control-regex -- They are what must not be there.
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    }
  });

  it("reads gzip, also in several parts and cut short, and several logs", async () => {
    const parts = Buffer.concat([
      gzipSync(logText([recordOf(10)])),
      gzipSync(logText([recordOf(90)])),
    ]);
    const packed = join(scratch.path, "packed.gz");
    writeFileSync(packed, parts);
    expect(await rehearse(packed)).toMatchObject({ decisions: 2, broken: 0, damaged: [] });
    const cut = join(scratch.path, "cut.gz");
    const many = Array.from({ length: 50_000 }, (_, at) => recordOf(at % 100));
    const whole = gzipSync(logText(many));
    writeFileSync(cut, whole.subarray(0, whole.length - 1_000));
    const found = await rehearse(cut, "--log", packed);
    expect(found.decisions).toBeGreaterThan(10_000);
    expect(found.decisions).toBeLessThan(50_002);
    expect(found.broken).toBeLessThanOrEqual(1);
  });

  it("says that compressed data is damaged", async () => {
    const packed = gzipSync(logText([recordOf(10)]));
    packed.fill(255, 20, 60);
    const log = join(scratch.path, "damaged.gz");
    writeFileSync(log, packed);
    const whole = file(logText([recordOf(10)]));
    expect(await rehearse(whole, "--log", log)).toMatchObject({ decisions: 1, damaged: [log] });
    const { stdout } = await runCommand(["rehearse", "--log", log, "--log", whole]);
    expect(stdout).toContain("is damaged, and was not read to its end");
    const alone = await runCommand(["rehearse", "--log", log]);
    expect(alone).toMatchObject({ status: 2, stdout: "" });
    expect(alone.stderr).toContain(`no decision in ${log}: its compressed data is damaged`);
  });

  it("leaves out what was before a date", async () => {
    const log = file(logText([recordOf(10), recordOf(10, {}, { at: "2026-03-02T00:00:00.000Z" })]));
    expect(await rehearse(log, "--since", "2026-03-02")).toMatchObject({ decisions: 1, before: 1 });
    expect(await rehearse(log, "--since", "2026-03-01T13:00:00+01:00")).toMatchObject({
      decisions: 2,
    });
  });

  it("keeps what lists decided, and says what it cannot know", async () => {
    const skipped = { state: "skipped", why: "override" } as const;
    const log = file(
      logText([
        recordOf(0, {}, { outcome: "reject", because: "override", score: null, ip: skipped }),
        recordOf(
          90,
          {},
          { outcome: "allow", policy: { flagAbove: 40, rejectAbove: 80, own: true } },
        ),
        recordOf(90, {}, { enforced: false }),
      ]),
    );
    const found = await rehearse(log, "--reject-above", "95");
    expect(found).toMatchObject({ ownPolicy: 1, observed: 1, changed: 2 });
    expect(found.flips.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "allow flag",
      "reject flag",
    ]);
  });

  it("sums up routes and days that are too many", async () => {
    const records = Array.from({ length: 1_500 }, (_, at) =>
      recordOf(10, {}, { route: `GET /${at}` }),
    );
    const { routes } = await rehearse(file(logText(records)));
    expect(routes.length).toBe(1_001);
    expect(routes.at(0)).toMatchObject({ route: "(other)", decisions: 500 });
  });

  it.each([
    ["an empty log", "", "it is empty"],
    ["another file", "GET /signup 200\n\n", "none of 2 lines is a record; the first: "],
  ])("says of %s what a log is, with exit code 2", async (_, text, reason) => {
    for (const form of ["table", "json"]) {
      const args = ["rehearse", "--log", file(text), "--format", form];
      const { stdout, stderr, status } = await runCommand(args);
      expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
      expect(stderr).toContain(reason);
      expect(stderr).toContain("A gate writes it if its option `log`");
    }
  });

  it("answers for a log whose decisions are all too early", async () => {
    const args = ["rehearse", "--log", file(logText([recordOf(10)])), "--since", "2026-04-01"];
    const { stdout, status } = await runCommand(args);
    expect({ stdout, status }).toEqual({
      stdout: "0 decisions\n1 earlier decision left out\n",
      status: 0,
    });
  });

  it.each<[string, string[]]>([
    ["no log", []],
    ["a log that is not there", ["--log", "/nowhere/decisions.jsonl"]],
    ["a folder", ["--log", scratch.path]],
    ["an invalid score", ["--log", file(""), "--reject-above", "x"]],
    ["thresholds that cross", ["--log", file(""), "--reject-above", "30", "--flag-above", "70"]],
    ["an invalid date", ["--log", file(""), "--since", "yesterday"]],
    ["a picture without labels", ["--log", file(""), "--plot", "x.svg"]],
    ["an unknown format", ["--log", file(""), "--format", "xml"]],
  ])("refuses %s with exit code 2", async (_, args) => {
    const { status, stdout } = await runCommand(["rehearse", ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

describe("riskgate rehearse --labels", () => {
  const records = [
    recordOf(90, { email: "eve@x.com" }),
    recordOf(60, { email: "eve@x.com" }),
    recordOf(60, { email: "bob@x.com", ip: "203.0.113.8" }),
    recordOf(10, { email: "bob@x.com", ip: "203.0.113.8" }),
    recordOf(99, { email: "who@x.com", ip: "203.0.113.9" }),
  ];
  const digest = createIdentityDigest({ secret: SECRET });
  const labels = [
    `${digest.email("eve@x.com")},fraud`,
    JSON.stringify({ digest: digest.ip("203.0.113.8"), label: "legitimate" }),
  ];

  it("tells precision and recall of both policies and of each threshold", async () => {
    const known = file(`digest,label\n${labels.join("\n")}\n`);
    const { labels: found } = await rehearse(
      file(logText(records)),
      "--labels",
      known,
      "--reject-above",
      "50",
    );
    expect(found).toMatchObject({
      labels: 2,
      fraud: 2,
      legitimate: 2,
      recorded: {
        stopped: { precision: 2 / 3, recall: 1 },
        rejected: { precision: 1, recall: 0.5 },
      },
      rehearsed: { rejected: { precision: 2 / 3, recall: 1 } },
    });
    const points = found?.thresholds ?? [];
    expect(points.map(({ threshold }) => threshold)).toEqual(Array.from(Array(101).keys()));
    expect(points.at(59)).toMatchObject({ fraudFound: 2, legitimateFound: 1, recall: 1 });
    expect(points.at(60)).toMatchObject({
      fraudFound: 1,
      legitimateFound: 0,
      precision: 1,
      recall: 0.5,
    });
    expect(points.at(100)).toMatchObject({ fraudFound: 0, precision: null, recall: 0 });
  });

  it("joins labels by the id of a decision, which count before those of its identifiers", async () => {
    const id = (last: number) => `8b6f9cfd-0b8e-4c44-9a5a-00000000000${last}`;
    const log = file(logText(records.map((record, at) => ({ ...record, id: id(at) }))));
    const before = await rehearse(log, "--labels", file(labels.join("\n")));
    expect(before.labels?.rehearsed.stopped).toEqual({ precision: 2 / 3, recall: 1 });
    const known = [
      ...labels,
      `${id(3)},fraud`,
      JSON.stringify({ decisionId: id(4), label: "fraud" }),
    ];
    const { labels: found } = await rehearse(log, "--labels", file(known.join("\n")));
    expect(found).toMatchObject({ labels: 4, fraud: 4, legitimate: 1 });
    expect(found?.rehearsed.stopped).toEqual({ precision: 3 / 4, recall: 3 / 4 });
  });

  it("shows precision and recall of each outcome and signal, and the best thresholds", async () => {
    const flagged = records.map((record, at) =>
      recordOf(record.score!, {
        email: at < 2 ? "eve@x.com" : "bob@x.com",
        ip: at < 2 ? "203.0.113.7" : "203.0.113.8",
        flags: at < 2 ? ["is_vpn"] : ["is_vpn", "is_hosting"],
      }),
    );
    const log = file(logText(flagged.slice(0, 4)));
    const known = file(labels.join("\n"));
    const { labels: found } = await rehearse(log, "--labels", known);
    expect(found?.outcomes).toMatchObject([
      { outcome: "allow", rehearsed: { fraud: 0, legitimate: 1, precision: 0, recall: 0 } },
      { outcome: "flag", rehearsed: { fraud: 1, legitimate: 1, precision: 0.5, recall: 0.5 } },
      { outcome: "challenge", rehearsed: { precision: null } },
      { outcome: "reject", rehearsed: { fraud: 1, legitimate: 0, precision: 1, recall: 0.5 } },
    ]);
    expect(found?.signals).toEqual([
      { signal: "ip is_vpn", fraud: 2, legitimate: 2, precision: 0.5, recall: 1 },
      { signal: "ip is_hosting", fraud: 0, legitimate: 2, precision: 0, recall: 0 },
    ]);
    // 60 has fraud and legitimate decisions, 90 only fraud, 10 only legitimate ones.
    expect(found?.best).toEqual({ flagAbove: 35, challengeAbove: 35, rejectAbove: 75 });
    const { stdout } = await runCommand(["rehearse", "--log", log, "--labels", known]);
    expect(stdout).toContain("Best thresholds: --flag-above 35");
    expect(stdout).toMatch(/^ip is_vpn +50\.0% +100\.0% +2 +2$/m);
  });

  it("draws both curves, for the terminal and as a picture", async () => {
    const [log, known] = [file(logText(records)), file(labels.join("\n"))];
    const plot = join(scratch.path, "curves.svg");
    const args = ["--log", log, "--labels", known, "--plot", plot, "--reject-above", "50"];
    const { stdout, status } = await runCommand(["rehearse", ...args]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^precision {2}[\u2581-\u2588 ]+$/m);
    expect(stdout).toMatch(/^recall {5}[\u2581-\u2588]{51}$/m);
    const picture = readFileSync(plot, "utf8");
    expect(picture.match(/<polyline/g)?.length).toBe(2);
    expect(picture).toContain(">reject 50<");
  });

  it.each([
    ["junk", "is not a label"],
    [`${digest.email("a@x.y")},bad`, "line 2 is not a label"],
    ['{"digest":"x","label":"legitimate"}', "is not a label"],
    ["ann@example.com,fraud", "is not a label"],
  ])("refuses the line %s, and does not repeat it", async (line, expected) => {
    const known = file(`digest,label\n${line}\n`);
    const args = ["rehearse", "--log", file(""), "--labels", known];
    const { status, stderr } = await runCommand(args);
    expect(status).toBe(2);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain("ann@example.com");
  });

  it("says when the picture cannot be written", async () => {
    const plot = join(scratch.path, "nowhere", "curves.svg");
    const log = file(logText([recordOf(10)]));
    const args = ["--log", log, "--labels", file(labels.join("\n")), "--plot", plot];
    const { status } = await runCommand(["rehearse", ...args]);
    expect({ status, written: existsSync(plot) }).toEqual({ status: 3, written: false });
  });
});

describe("riskgate rehearse digest", () => {
  const env = { RISKGATE_LOG_SECRET: SECRET };
  const digest = createIdentityDigest({ secret: SECRET });

  it("makes the digests of a log, with a label", async () => {
    const input = "# banned\neve@x.com\n203.0.113.7\n";
    const run = await runCommand(["rehearse", "digest", "--label", "fraud"], { input, env });
    expect(run).toEqual({
      status: 0,
      stdout: `${digest.email("eve@x.com")},fraud\n${digest.ip("203.0.113.7")},fraud\n`,
      stderr: "",
    });
  });

  it("makes them as JSON too", async () => {
    const args = ["rehearse", "digest", "--label", "legitimate", "--json"];
    const { stdout } = await runCommand(args, { input: "203.0.113.7", env });
    expect(JSON.parse(stdout)).toEqual({ digest: digest.ip("203.0.113.7"), label: "legitimate" });
  });

  it("takes the secret from a file too, and the rules of the log", async () => {
    const secret = scratch.file("secret", `${SECRET}\n`);
    const args = ["rehearse", "digest", "--secret-file", secret, "--no-provider-rules"];
    const { stdout } = await runCommand(args, { input: "eve+x@x.com" });
    expect(stdout).not.toBe(`${digest.email("eve@x.com")}\n`);
  });

  it.each<[string, object, string]>([
    ["no secret", {}, "x@y.z"],
    ["a short secret", { RISKGATE_LOG_SECRET: "short" }, "x@y.z"],
    ["a line that is not an address", env, "x".repeat(400)],
    ["the name of a column", env, "account\neve@x.com"],
    ["several columns", env, "eve@x.com,fraud"],
  ])("refuses %s", async (_, given, input) => {
    const run = await runCommand(["rehearse", "digest"], { input, env: given as never });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).not.toContain("short\n");
    if (given !== env) expect(run.stderr).toContain("Set RISKGATE_LOG_SECRET, or name a file");
  });
});
