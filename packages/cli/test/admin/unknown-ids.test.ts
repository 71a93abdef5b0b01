import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/program.js";
import { createTerminal } from "../../src/terminal/terminal.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import { startService } from "../support/start-service.js";

const scratch = scratchDirectory();
const FILE = scratch.file("playbook.json", '{"name":"Block","rule":{"kinds":["xss"]}}');
const LABELS = scratch.file("labels.jsonl", '{"account":"ann@shop.example","label":"fraud"}\n');

const NO_APPLICATION = /^riskgate: the service has no application nope \(CONFIG_INVALID\)\n/;
/** The first digits of both ids, which may have more if they begin with the same. */
const NAMED =
  /\nIt has Shop \([0-9a-f]{8,}\), Blog \([0-9a-f]{8,}\); `riskgate app list` shows all\n/;

const missing = (noun: string, command: string): readonly RegExp[] => [
  new RegExp(`^riskgate: the service has no ${noun} nope \\(CONFIG_INVALID\\)\\n`),
  new RegExp(`\\n\`riskgate ${command} list\` shows the ids\\n`),
];
const application = [NO_APPLICATION, NAMED];
const key = [
  /^riskgate: application \w+ has no key nope \(/,
  /\n`riskgate app show \w+` lists its keys\n/,
];

/** Commands with an id that the service does not know. */
const CASES: readonly (readonly [line: string, expected: readonly RegExp[]])[] = [
  ["app set nope --name Other", application],
  ["app enable nope", application],
  ["app disable nope", application],
  ["app show nope", application],
  ["app delete nope --yes", application],
  ["app key nope", application],
  ["app key nope --revoke nope", application],
  ["app key ID --revoke nope", key],
  ["app key ID --set nope --quota 5", key],
  ["app rotate nope", application],
  ["app rotate nope --finish", application],
  ["trigger test --app nope", application],
  ["trigger auth_bruteforce --app nope", application],
  ["deliveries list --app nope", application],
  ["deliveries retry-all --app nope", application],
  ["deliveries show nope", missing("delivery", "deliveries")],
  ["deliveries retry nope", missing("delivery", "deliveries")],
  ["events list --app nope", application],
  ["events show nope", missing("event", "events")],
  ["incidents list --app nope", application],
  ["incidents show nope", missing("incident", "incidents")],
  ["blocks list --app nope", application],
  ["blocks add 203.0.113.7 --app nope", application],
  ["blocks release 203.0.113.7 --app nope", application],
  ["playbooks list --app nope", application],
  ["playbooks add nope FILE", application],
  ["playbooks remove nope", missing("playbook", "playbooks")],
  ["playbooks dry-run nope", missing("playbook", "playbooks")],
  ["playbooks dry-run --app nope --file FILE", application],
  ["labels import LABELS --app nope", application],
  ["lookup ip 8.8.8.8 --explain --admin-url URL --app nope", application],
  ["lookup email ada@shop.example --explain --admin-url URL --app nope", application],
];

/** Commands that take an id or a name of something in a service. */
const named = (parent: Command): readonly string[] =>
  parent.commands.flatMap((command) => [
    ...named(command).map((path) => `${command.name()} ${path}`),
    ...(command.registeredArguments.some((one) => ["id", "application"].includes(one.name())) ||
    command.options.some(({ long, hidden }) => long === "--app" && !hidden)
      ? [command.name()]
      : []),
  ]);

describe("an unknown id", () => {
  it("is tried with every command that takes one", () => {
    const commands = named(createProgram(createTerminal(process), () => {}));
    expect(commands.length).toBeGreaterThan(20);
    const isTried = (path: string) => CASES.some(([line]) => line.startsWith(`${path} `));
    expect(commands.filter((path) => !isTried(path))).toEqual([]);
  });

  it("is refused by all of them with exit code 2 and the next step", async () => {
    const { client, env } = await startService(mkdtempSync(join(scratch.path, "data-")));
    const ids: string[] = [];
    for (const name of ["Shop", "Blog"]) {
      ids.push((await client.call("POST /applications", { body: { name } })).application.id);
    }
    const words: Readonly<Record<string, string | undefined>> = {
      ID: ids[0],
      FILE,
      LABELS,
      URL: env["RISKGATE_ADMIN_URL"],
    };
    for (const [line, expected] of CASES) {
      const args = line.split(" ").map((word) => words[word] ?? word);
      const { status, stdout, stderr } = await runCommand(args, { env });
      expect({ line, status, stdout }).toEqual({ line, status: 2, stdout: "" });
      for (const pattern of expected) expect(stderr, line).toMatch(pattern);
    }
    for (const id of ids) await client.call("DELETE /applications/{id}", { parts: { id } });
    const { status, stderr } = await runCommand(["events", "list", "--app", "nope"], { env });
    expect(status).toBe(2);
    expect(stderr).toContain("\nIt has none: create one with `riskgate app create`\n");
  });
});
