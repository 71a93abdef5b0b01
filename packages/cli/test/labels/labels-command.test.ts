import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { csvFields } from "../../src/labels/csv-line.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import { startService } from "../support/start-service.js";

const scratch = scratchDirectory();
const SECRET = "a secret of the log, 32 bytes long";

/** A service with an application, and a way to import a file into it. */
async function openService() {
  const { client, env } = await startService(mkdtempSync(join(scratch.path, "data-")));
  const { application } = await client.call("POST /applications", { body: { name: "Shop" } });
  const { id } = application;
  const importFile = (text: string, more: readonly string[] = [], extra: object = {}) => {
    const file = join(mkdtempSync(join(scratch.path, "labels-")), "labels.csv");
    writeFileSync(file, text);
    const args = ["labels", "import", file, "--app", id, ...more];
    return runCommand(args, { env: { ...env, ...extra } });
  };
  const labelOf = async (account: string) => {
    const { labels } = await client.call("GET /subject", { query: { account } });
    return labels[0]?.label;
  };
  return { client, importFile, labelOf };
}

describe("riskgate labels import", () => {
  it("imports CSV with other columns, quotes and a byte order mark", async () => {
    const { importFile, labelOf } = await openService();
    const run = await importFile(
      '\ufeffcase,account,label,at\r\n1,"ada@shop.example",fraud,2026-01-31\r\n"2, ""late""",bob@shop.example,legitimate,2026-02-01T10:00:00+01:00\r\n',
    );
    expect(run).toMatchObject({ status: 0, stdout: "Imported 2 labels\n" });
    expect(run.stderr).toContain("2 accounts without a digest, so rehearsals ignore the labels");
    expect([await labelOf("ada@shop.example"), await labelOf("BOB@shop.example")]).toEqual([
      "fraud",
      "legitimate",
    ]);
  });

  it("imports JSON lines once, and reports labels that are already stored", async () => {
    const { importFile } = await openService();
    const line =
      '{"decisionId":"8b6f9cfd-0b8e-4c44-9a5a-6a2a54f1f3c2","label":"fraud","at":"2026-01-31","amount":12}\n';
    expect((await importFile(line)).stdout).toBe("Imported 1 label\n");
    expect((await importFile(line)).stdout).toBe(
      "Imported 0 labels; 1 already had the same or a later label\n",
    );
    const printed = await importFile(line, ["--json"]);
    expect(JSON.parse(printed.stdout)).toEqual({ imported: 0, unchanged: 1, undigested: 0 });
  });

  it("labels all lines of a list, and reads the secret of the log", async () => {
    const { client, importFile } = await openService();
    const env = { RISKGATE_LOG_SECRET: SECRET };
    const run = await importFile("account\nada@shop.example\n", ["--label", "fraud"], env);
    expect(run).toMatchObject({ stdout: "Imported 1 label\n", stderr: "" });
    const { labels } = await client.call("GET /subject", {
      query: { account: "ada@shop.example" },
    });
    expect(labels).toMatchObject([{ label: "fraud" }]);
    const short = await importFile("account,label\na,fraud\n", [], {
      RISKGATE_LOG_SECRET: "short",
    });
    expect(short.stderr).toContain("found less than 32 bytes");
  });

  it("names bad lines, and imports nothing if there is one", async () => {
    const { importFile, labelOf } = await openService();
    const run = await importFile(
      "account,label\nada@shop.example,fraud\nbob@shop.example,fraudd\n,fraud\na,b,c\n",
    );
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("3 lines not usable, nothing imported");
    expect(run.stderr).toContain("line 3: `label` must be fraud or legitimate");
    expect(run.stderr).toContain("line 4: `decisionId` must be given without `account`");
    expect(run.stderr).toContain("line 5: it has 3 fields, and the first line names 2");
    expect(await labelOf("ada@shop.example")).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ["a file without names of columns", "ada@shop.example,fraud\n", "must name the columns"],
    ["an empty file", "\n", "no label in"],
    ["broken JSON", '{"decisionId":\n', "line 1: it is not JSON"],
    ["a wrong quote", 'account,label\n"a"b,fraud\n', "line 2: its quotes are wrong"],
    ["a wrong id", "decisionId,label\nabc,fraud\n", "line 2: `decisionId` must be the id of a"],
    ["a wrong time", "account,label,at\na,fraud,31.01.2026\n", "line 2: `at` must be a time"],
  ])("refuses %s", async (_, text, message) => {
    const { importFile } = await openService();
    const run = await importFile(text);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(message);
  });

  it("imports thousands in batches", async () => {
    const { importFile, labelOf } = await openService();
    const lines = Array.from({ length: 2_500 }, (_, n) => `user${n}@shop.example,fraud`);
    const run = await importFile(`account,label\n${lines.join("\n")}\n`);
    expect(run.stdout).toBe("Imported 2500 labels\n");
    expect(await labelOf("user2499@shop.example")).toBe("fraud");
  });
});

describe("csvFields", () => {
  it.each<[string, readonly string[] | undefined]>([
    ["a,b", ["a", "b"]],
    ["a,,", ["a", "", ""]],
    [' a , "b, ""c""" ,d', ["a", 'b, "c"', "d"]],
    ["", [""]],
    ['"a', undefined],
    ['a"b', undefined],
  ])("reads %j", (line, fields) => {
    expect(csvFields(line)).toEqual(fields);
  });
});
