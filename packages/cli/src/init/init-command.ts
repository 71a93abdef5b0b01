import { randomBytes } from "node:crypto";
import { type Command, Option } from "commander";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { checkApi } from "../doctor/api-check.js";
import type { Finding } from "../doctor/finding.js";
import { findingLines } from "../doctor/finding-lines.js";
import { EXIT } from "../terminal/exit-code.js";
import { httpUrl } from "../options/http-url.js";
import { type AccessOptions, findAccess, VARIABLES } from "./access.js";
import { askForRest, type Choice } from "./ask-for-rest.js";
import { describeFiles, describeSteps, type Outcome } from "./describe-outcome.js";
import { setVariables } from "./env-text.js";
import { LOOKUP_KINDS, type LookupKind, writeIntegration } from "./integration.js";
import { INSTALL, readProject } from "./project.js";
import { type Framework, FRAMEWORKS, TEMPLATES } from "./templates.js";
import { readEnvFile, writeFiles } from "./write-files.js";
import { jsonLine } from "../terminal/printable.js";
import { canAsk, type Dialogue, openDialogue } from "../terminal/question.js";
import type { Terminal } from "../terminal/terminal.js";

interface InitOptions extends AccessOptions {
  readonly framework?: Framework;
  readonly lookup?: LookupKind;
  readonly dir: string;
  readonly write?: true;
  readonly yes?: true;
  readonly force?: true;
  readonly json?: true;
}

const TIMEOUT_MS = 10_000;

export function addInitCommand(program: Command, { terminal, end }: CommandContext): void {
  addCommand(program, "init", {
    summary: "protect an application: write its first integration",
    description:
      "Write the smallest working integration for the application in this directory: one file with the gate and the webhook, the routes that use it if the framework is Next.js, and a .env with the settings. The framework is found in package.json. Without --write the files are only shown; on a terminal the command asks for missing values, and whether to write. Existing variables of .env do not change. If the base URL and the API key are known, the command checks the service as `riskgate doctor` does; the exit code is 1 if it finds a problem.",
    examples: {
      "riskgate init": "Show the files, then confirm",
      "riskgate init --sandbox-file data/sandbox.json --write": "Use the sandbox of a service",
      "riskgate init --framework koa --lookup engine --write --yes": "In a script",
    },
  })
    .addOption(
      new Option("--framework <name>", "the framework, if package.json does not name it").choices(
        FRAMEWORKS,
      ),
    )
    .addOption(
      new Option(
        "--lookup <kind>",
        "score with an engine in the application, or ask a service; default service if its URL or key is known",
      ).choices(LOOKUP_KINDS),
    )
    .option("--base-url <url>", "base URL of the service (else RISKGATE_BASE_URL)", httpUrl)
    .option("--api-key-file <file>", "file with its API key (else RISKGATE_API_KEY)")
    .option(
      "--secret-file <file>",
      "file with the signing secret of the webhook (else RISKGATE_SIGNING_SECRET)",
    )
    .option(
      "--sandbox-file <file>",
      "take URL, keys and secret from the sandbox.json of `riskgate serve --sandbox --data-dir`",
    )
    .option("--dir <directory>", "the directory of the application", ".")
    .option("--write", "write the files")
    .option("--yes", "ask nothing")
    .option("--force", "replace existing files and variables")
    .option("--json", "print one JSON object, and ask nothing")
    .action(async (options: InitOptions) => {
      const isSilent = options.yes ?? options.json ?? !canAsk(terminal);
      const dialogue = isSilent ? undefined : openDialogue(terminal);
      try {
        end((await init(options, terminal, dialogue)) ? EXIT.ok : EXIT.no);
      } finally {
        dialogue?.close();
      }
    });
}

/** Returns true if no problem was found in the service. */
async function init(
  options: InitOptions,
  terminal: Terminal,
  dialogue: Dialogue | undefined,
): Promise<boolean> {
  const { out } = terminal;
  const { json, force = false } = options;
  const project = readProject(options.dir);
  const envText = readEnvFile(project.directory);
  const access = await findAccess(options, envText, terminal);
  const choice = await askForRest(project, { ...options, access }, dialogue);
  const integration = writeIntegration(project, TEMPLATES[choice.framework], choice.lookup);
  const values = variablesOf(choice);
  const env = setVariables(envText, values, force);
  const { packages } = integration;
  const install =
    packages.length === 0 ? undefined : [INSTALL[project.packageManager], ...packages].join(" ");
  const planned: Outcome = { integration, env, values, install, files: [] };

  if (!json && !options.write) await out.write(describeFiles(planned, out));
  const isWanted = options.write ?? /^y(?:es)?$/i.test((await askToWrite(dialogue)) ?? "");
  const files = isWanted ? await writeFiles(project.directory, integration.files, env, force) : [];
  if (!json) await out.write(describeSteps({ ...planned, files }));

  const findings: Finding[] = [];
  for await (const finding of check(choice)) {
    findings.push(finding);
    if (!json) await out.write(findingLines(finding, out));
  }
  const { framework, lookup } = choice;
  if (json) {
    const { set, kept } = env;
    await out.write(
      jsonLine({ framework, lookup, integration, env: { set, kept }, install, files, findings }),
    );
  }
  return findings.every(({ state }) => state !== "fault");
}

function askToWrite(dialogue: Dialogue | undefined): Promise<string> | undefined {
  return dialogue?.ask("Write these files? [y/N] ");
}

/** An engine needs no service, but its webhook needs a secret, which may be missing. */
function variablesOf({ lookup, access }: Choice): Readonly<Record<string, string>> {
  const { baseUrl = "", apiKey = "", reportKey, signingSecret } = access;
  if (lookup === "engine") {
    return { [VARIABLES.signingSecret]: signingSecret ?? randomBytes(24).toString("hex") };
  }
  return {
    [VARIABLES.baseUrl]: baseUrl,
    [VARIABLES.apiKey]: apiKey,
    // The integration does not use it, but `loginWatch` would.
    ...(reportKey !== undefined && { [VARIABLES.reportKey]: reportKey }),
    [VARIABLES.signingSecret]: signingSecret ?? "",
  };
}

async function* check({ lookup, access }: Choice): AsyncGenerator<Finding> {
  const { baseUrl, apiKey, reportKey } = access;
  if (lookup === "engine" || baseUrl === undefined || apiKey === undefined) return;
  yield* checkApi({ url: new URL(baseUrl), apiKey, reportKey, timeoutMs: TIMEOUT_MS });
}
