import type { OperatorRule as ServiceRule } from "@riskgate/api-types";
import { RiskGateError } from "@riskgate/core";
import { checkRuleText, type OperatorRule } from "@riskgate/core/internal";
import type { Command } from "commander";
import {
  type AdminCommandOptions,
  type AdminCommands,
  adminCommands,
} from "../admin/admin-commands.js";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { EXIT } from "../terminal/exit-code.js";
import { readInput } from "../input/input.js";
import { jsonLine, printable } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";

interface CheckOptions {
  readonly service?: true;
  readonly json?: true;
}

export function addRulesCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const rules = addCommand(program, "rules", {
    summary: "check operator rules, and set those of a service",
    description:
      "Operator rules decide instead of the thresholds if their conditions hold. A gate reads them from a file, a service from the administration API.",
    examples: {
      "riskgate rules check rules.json": "Find every mistake, with line and column",
      "riskgate rules set rules.json": "Use them in a service",
    },
  });
  addCheck(rules, context);
  const commands = adminCommands(rules, terminal);
  commands.list("rules", {
    summary: "list the rules of a service",
    example: "riskgate rules list",
    head: ["NAME", "OUTCOME", "WHEN", "NOTE"],
    find: (client) => client.call("GET /rules"),
    row: ({ name, outcome, when, note = "" }) => [name, outcome, JSON.stringify(when), note],
  });
  addSet(commands, context);
}

function addCheck(rules: Command, { terminal, end }: CommandContext): void {
  addCommand(rules, "check [file]", {
    summary: "check a file of rules",
    description: "Check a file of rules, or standard input.",
    examples: { "riskgate rules check rules.json": "Check a file" },
  })
    .option("--service", "check as rules of a service, whose lookups have no path")
    .option("--json", "print a JSON object")
    .action(async (file: string | undefined, options: CheckOptions) => {
      const { rules: found, problems } = await readRules(file, !!options.service, terminal);
      end(problems.length === 0 ? EXIT.ok : EXIT.no);
      const text =
        problems.length === 0
          ? `${counted(found.length, "rule")}, no problems\n`
          : linesOf(problems);
      const value = { rules: found.length, problems: problems.map(({ problem }) => problem) };
      await terminal.out.write(options.json ? jsonLine(value) : text);
    });
}

function addSet({ add, run, show }: AdminCommands, { terminal }: CommandContext): void {
  add("set [file]", "replace the rules of a service", "riskgate rules set rules.json").action(
    async (file: string | undefined, options: AdminCommandOptions) => {
      const { rules, problems } = await readRules(file, true, terminal);
      if (problems.length > 0) throw await refusal(problems, options, terminal);
      const answer = await run(options, (client) =>
        client.call("PUT /rules", { body: { rules: rules as readonly ServiceRule[] } }),
      );
      const { count } = answer;
      await show(options, answer, `${count} ${count === 1 ? "rule is" : "rules are"} in use\n`);
    },
  );
}

/** Returns the error about rules that are not sent. The problems are above it, unless it is JSON. */
async function refusal(
  problems: readonly ShownProblem[],
  { json }: Pick<AdminCommandOptions, "json">,
  { err }: Terminal,
): Promise<RiskGateError> {
  if (!json) await err.write(linesOf(problems));
  const message = `the rules have ${counted(problems.length, "problem")}, and nothing was sent`;
  const hint = "Correct them until `riskgate rules check --service` finds no problem";
  return new RiskGateError("CONFIG_INVALID", message, { hint });
}

/** A problem of a rule, with its line in compiler format. */
interface ShownProblem {
  readonly text: string;
  readonly problem: object;
}

function linesOf(problems: readonly ShownProblem[]): string {
  return problems.map(({ text }) => `${printable(text)}\n`).join("");
}

async function readRules(
  file: string | undefined,
  isForService: boolean,
  terminal: Terminal,
): Promise<{
  readonly rules: readonly OperatorRule<string>[];
  readonly problems: readonly ShownProblem[];
}> {
  const text = (await readInput(file, terminal)).toString();
  // Loading the package of the service takes long, so only do it for its own rules.
  const vocabulary = isForService
    ? (await import("@riskgate/service")).SERVICE_RULE_VOCABULARY
    : undefined;
  const { rules, problems } = await checkRuleText<string>(text, vocabulary);
  return {
    rules,
    problems: problems.map((problem) => {
      const { line, column, pointer, reason } = problem;
      const place = line === undefined ? "" : `:${line}:${column}`;
      const where = pointer === "" ? "" : ` ${pointer}:`;
      return { problem, text: `${file ?? "-"}${place}:${where} ${reason}` };
    }),
  };
}
