import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { Command } from "commander";
import type { CommandContext } from "./options/command-context.js";
import { addAppCommand } from "./app/app-command.js";
import { addConformanceCommand } from "./conformance/conformance-command.js";
import { addBlocksCommand } from "./records/blocks-command.js";
import { addCompletionCommand } from "./completion/completion-command.js";
import { addDbCommand } from "./serve/db-command.js";
import { addDeliveriesCommand } from "./records/deliveries-command.js";
import { addDoctorCommand } from "./doctor/doctor-command.js";
import { addEraseCommand } from "./records/erase-command.js";
import { addEventsCommand } from "./records/events-command.js";
import { addFeedsCommand } from "./feeds/feeds-command.js";
import { addHelpCommand } from "./help-command.js";
import { addIncidentsCommand } from "./records/incidents-command.js";
import { addLabelsCommand } from "./labels/labels-command.js";
import { addListenCommand } from "./webhook/listen-command.js";
import { addInitCommand } from "./init/init-command.js";
import { addLookupCommand } from "./lookup/lookup-command.js";
import { addRulesCommand } from "./rules/rules-command.js";
import { addRehearseCommand } from "./rehearsal/rehearse-command.js";
import { addPlaybooksCommand } from "./records/playbooks-command.js";
import { addSendCommand } from "./webhook/send-command.js";
import { addServeCommand } from "./serve/serve-command.js";
import { addSignCommand } from "./webhook/sign-command.js";
import { addTriggerCommand } from "./app/trigger-command.js";
import { addVerifyCommand } from "./webhook/verify-command.js";
import { EXIT_MEANINGS, type ExitCode } from "./terminal/exit-code.js";
import { throwUsageErrors } from "./options/usage-error.js";
import { printable } from "./terminal/printable.js";
import { unreadable } from "./input/read-json.js";
import type { Terminal } from "./terminal/terminal.js";

/** The version of the manifest; a test compares them. */
const VERSION = "0.1.0";

const SECRETS = `
Secrets come from the environment or from files, never from arguments:
  RISKGATE_API_KEY         --api-key-file        lookup, doctor, conformance
  RISKGATE_REPORT_KEY      --report-key-file     doctor
  RISKGATE_SIGNING_SECRET  --secret-file         commands that sign or verify
  RISKGATE_ADMIN_TOKEN     --admin-token-file    serve, administration
  RISKGATE_METRICS_TOKEN   --metrics-token-file  serve
  RISKGATE_LOG_SECRET      --secret-file         rehearse digest, labels import
  RISKGATE_DATABASE_URL                          serve, db, administration

With --env-file .env, the variables of that file count as well.
`;

/** Creates the command line, which runs when it parses its arguments. */
export function createProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const env = { ...terminal.env };
  const context: CommandContext = { terminal: { ...terminal, env }, end };
  const program = new Command("riskgate")
    .description("Look up risk, run the service, and test webhooks from both ends.")
    .version(VERSION, "-V, --version", "show the version")
    .option("--env-file <file>", "a .env file; it does not change variables that are already set")
    .hook("preAction", (program) => {
      const { envFile } = program.opts<{ envFile?: string }>();
      if (envFile !== undefined) Object.assign(env, readVariables(envFile), terminal.env);
    })
    .configureHelp({ showGlobalOptions: true })
    .helpOption("-h, --help", "show help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      // Messages repeat arguments, which may come from an untrusted source.
      writeErr: (text) => void terminal.err.write(text.split("\n").map(printable).join("\n")),
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
    })
    .addHelpText("after", ({ command }) => {
      const help = command.createHelp();
      const exitCodes = Object.entries(EXIT_MEANINGS).map(([code, meaning]) =>
        help.formatItem(code, 2, meaning, help),
      );
      return `\nExit codes:\n${exitCodes.join("\n")}\n${SECRETS}`;
    });
  addInitCommand(program, context);
  addServeCommand(program, context);
  addAppCommand(program, context);
  addLookupCommand(program, context);
  addTriggerCommand(program, context);
  addSendCommand(program, context);
  addListenCommand(program, context);
  addSignCommand(program, context);
  addVerifyCommand(program, context);
  addFeedsCommand(program, context);
  addDeliveriesCommand(program, context);
  addRulesCommand(program, context);
  addEventsCommand(program, context);
  addIncidentsCommand(program, context);
  addBlocksCommand(program, context);
  addPlaybooksCommand(program, context);
  addLabelsCommand(program, context);
  addEraseCommand(program, context);
  addDbCommand(program, context);
  addRehearseCommand(program, context);
  addDoctorCommand(program, context);
  addConformanceCommand(program, context);
  addCompletionCommand(program, context);
  addHelpCommand(program);
  throwUsageErrors(program);
  return program;
}

function readVariables(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    throw unreadable(`the file of --env-file ${file}`, cause);
  }
}
