import { OUTCOMES } from "@riskgate/core";
import { checkRuleText, type OperatorRule } from "@riskgate/core/internal";
import type { Command } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import { createAdminApi } from "../admin/admin-api.js";
import { type CommandContext, examples } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { EXIT } from "../terminal/exit-code.js";
import { readInput } from "../input/input.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";

interface CheckOptions {
  readonly service?: true;
  readonly json?: true;
}

interface RulesOptions extends AdminOptions {
  readonly json?: true;
}

/** `riskgate rules`: the rules of an operator, in a file and in a service. */
export function addRulesCommand(program: Command, { terminal, end }: CommandContext): void {
  const rules = program
    .command("rules")
    .summary("check rules in a file, and set those of a service")
    .description(
      "Rules of the operator: when they hold, they decide instead of the thresholds. A gate takes them from a settings file, a service from the administration API.",
    )
    .addHelpText(
      "after",
      examples(
        ["riskgate rules check rules.json", "Find every mistake, with line and column"],
        ["riskgate rules set rules.json", "Put them in use in a service"],
      ),
    );
  const add = (usage: string, summary: string, example: string): Command =>
    rules
      .command(usage)
      .summary(summary)
      .description(`${summary}.`)
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));

  add("check [file]", "Check a file of rules", "riskgate rules check rules.json")
    .option("--service", "as rules of a service, whose lookups have no path and answer a score")
    .action(async (file: string | undefined, options: CheckOptions) => {
      const { rules: found, problems } = await readRules(file, !!options.service, terminal);
      end(problems.length === 0 ? EXIT.ok : EXIT.no);
      const text =
        problems.length === 0
          ? `${counted(found.length, "rule")}, nothing wrong\n`
          : problems.map((one) => `${printable(one.text)}\n`).join("");
      const told = problems.map(({ problem }) => problem);
      await terminal.out.write(
        options.json ? jsonLine({ rules: found.length, problems: told }) : text,
      );
    });

  addAdminOptions(add("list", "List the rules of a service", "riskgate rules list")).action(
    async (options: RulesOptions) => {
      const found = await withAdmin(options, terminal, (client) =>
        createAdminApi(client).listRules(),
      );
      const rows = found.map(({ name, outcome, when, note = "" }) => [
        name,
        outcome,
        JSON.stringify(when),
        note,
      ]);
      const text = formatTable([["NAME", "OUTCOME", "WHEN", "NOTE"], ...rows]);
      await terminal.out.write(options.json ? jsonLine({ rules: found }) : text);
    },
  );

  addAdminOptions(
    add("set [file]", "Replace the rules of a service", "riskgate rules set rules.json"),
  ).action(async (file: string | undefined, options: RulesOptions) => {
    const { rules: found, problems } = await readRules(file, true, terminal);
    if (problems.length > 0) {
      end(EXIT.usage);
      await terminal.err.write(problems.map((one) => `${printable(one.text)}\n`).join(""));
      return;
    }
    const count = await withAdmin(options, terminal, (client) =>
      createAdminApi(client).replaceRules(found),
    );
    const text = `${count} ${count === 1 ? "rule is" : "rules are"} in use\n`;
    await terminal.out.write(options.json ? jsonLine({ count }) : text);
  });
}

/** Rules of a file or of standard input, and what is wrong with them in the form of a compiler. */
async function readRules(
  file: string | undefined,
  isForService: boolean,
  terminal: Terminal,
): Promise<{
  readonly rules: readonly OperatorRule<string>[];
  readonly problems: readonly { readonly text: string; readonly problem: object }[];
}> {
  const text = (await readInput(file, terminal)).toString();
  // Only a service's own rules need its package, which takes long to load.
  const vocabulary = isForService
    ? (await import("@riskgate/service")).SERVICE_RULE_VOCABULARY
    : { outcomes: OUTCOMES };
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
