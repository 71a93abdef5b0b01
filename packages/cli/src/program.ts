import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { Command } from "commander";
import type { CommandContext } from "./command-context.js";
import { addAppCommand } from "./commands/app.js";
import { addConformanceCommand } from "./commands/conformance.js";
import { addCompletionCommand } from "./commands/completion.js";
import { addDbCommand } from "./commands/db.js";
import { addDeliveriesCommand } from "./commands/deliveries.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addEraseCommand } from "./commands/erase.js";
import { addEventsCommand } from "./commands/events.js";
import { addFeedsCommand } from "./commands/feeds.js";
import { addHelpCommand } from "./commands/help.js";
import { addIncidentsCommand } from "./commands/incidents.js";
import { addListenCommand } from "./commands/listen.js";
import { addInitCommand } from "./commands/init.js";
import { addLookupCommand } from "./commands/lookup.js";
import { addRulesCommand } from "./commands/rules.js";
import { addRehearseCommand } from "./commands/rehearse.js";
import { addPlaybooksCommand } from "./commands/playbooks.js";
import { addSendCommand } from "./commands/send.js";
import { addServeCommand } from "./commands/serve.js";
import { addSignCommand } from "./commands/sign.js";
import { addTriggerCommand } from "./commands/trigger.js";
import { addVerifyCommand } from "./commands/verify.js";
import type { ExitCode } from "./exit-code.js";
import { suggestNearOptions } from "./near-option.js";
import { printable } from "./printable.js";
import { unreadable } from "./read-json.js";
import type { Terminal } from "./terminal.js";

/** Keep in step with the manifest; a test compares. */
const VERSION = "0.1.0";

const EXIT_CODES = `
Exit codes:
  0   done, and the answer is yes
  1   done, and the answer is no: a wrong signature, a refused delivery, or
      a problem that doctor found
  2   nothing was done: wrong options, missing secret, unusable file
  3   the service could not be reached or failed, or a file could not be written
  4   the service refused the key or token
  70  a bug in the command

Secrets come from the environment or from files, never from arguments:
  RISKGATE_API_KEY         --api-key-file        lookup, doctor, conformance
  RISKGATE_SIGNING_SECRET  --secret-file         what signs or verifies
  RISKGATE_ADMIN_TOKEN     --admin-token-file    serve, and what administers it
  RISKGATE_METRICS_TOKEN   --metrics-token-file  serve
  RISKGATE_LOG_SECRET      --secret-file         rehearse digest
  RISKGATE_DATABASE_URL                          serve, db, what administers it

With --env-file .env, the variables of that file count as well.
`;

/** Make the command line; parsing its arguments runs it. */
export function createProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const env = { ...terminal.env };
  const context: CommandContext = { terminal: { ...terminal, env }, end };
  const program = new Command("riskgate")
    .description("Look up risk, run the service, and try out webhooks from both ends.")
    .version(VERSION, "-V, --version", "show the version")
    .option("--env-file <file>", "a .env file; variables that are set already stay as they are")
    .hook("preAction", (program) => {
      const { envFile } = program.opts<{ envFile?: string }>();
      if (envFile !== undefined) Object.assign(env, readVariables(envFile), terminal.env);
    })
    .configureHelp({ showGlobalOptions: true })
    .helpOption("-h, --help", "show help")
    .showHelpAfterError("(see --help)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      // It repeats arguments, which a script may have from elsewhere.
      writeErr: (text) => void terminal.err.write(text.split("\n").map(printable).join("\n")),
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
    })
    .addHelpText("after", EXIT_CODES);
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
  addPlaybooksCommand(program, context);
  addEraseCommand(program, context);
  addDbCommand(program, context);
  addRehearseCommand(program, context);
  addDoctorCommand(program, context);
  addConformanceCommand(program, context);
  addCompletionCommand(program, context);
  addHelpCommand(program);
  suggestNearOptions(program);
  return program;
}

function readVariables(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    throw unreadable(`the file of --env-file ${file}`, cause);
  }
}
