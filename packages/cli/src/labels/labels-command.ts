import type { ReportedLabel } from "@riskgate/api-types";
import { isRiskGateError, type LabelReport, RiskGateError } from "@riskgate/core";
import { createIdentityDigest } from "@riskgate/core/log";
import { type Command, Option } from "commander";
import { onlyApplication } from "../app/only-application.js";
import type { AdminClient } from "../admin/admin-client.js";
import { type AdminCommandOptions, adminCommands } from "../admin/admin-commands.js";
import { LOG_SECRET, requireSecret } from "../input/secret-source.js";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { printable } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
import { type BadLine, readLabelFile } from "./read-label-file.js";

interface ImportOptions extends AdminCommandOptions {
  readonly app?: string;
  readonly label?: LabelReport["label"];
  readonly secretFile?: string;
  readonly providerRules: boolean;
}

/** Adds `riskgate labels`, which labels decisions and accounts at a service. */
export function addLabelsCommand(program: Command, { terminal }: CommandContext): void {
  const labels = addCommand(program, "labels", {
    summary: "label decisions and accounts",
    description:
      "Label decisions and accounts as fraud or legitimate, so that a rehearsal can measure precision and recall.",
    examples: {
      "riskgate labels import chargebacks.csv --label fraud":
        "Label the decisions of a list of chargebacks",
    },
  });
  const { add, run, show } = adminCommands(labels, terminal);

  add("import <file>", "import labels from CSV or JSON lines", "riskgate labels import labels.csv")
    .option("--app <id>", "application; optional if the service has only one")
    .addOption(
      new Option("--label <label>", "label of lines that have none").choices([
        "fraud",
        "legitimate",
      ]),
    )
    .option(
      "--secret-file <file>",
      "file with the secret of the decision log, to find the decisions of accounts (else RISKGATE_LOG_SECRET)",
    )
    .option("--no-provider-rules", "for a log with `providerRules: false`")
    .action(async (file: string, options: ImportOptions) => {
      const { app, label, secretFile, providerRules } = options;
      const hasSecret = secretFile !== undefined || Boolean(terminal.env[LOG_SECRET.variable]);
      const digest = hasSecret
        ? createIdentityDigest({
            secret: requireSecret(LOG_SECRET, secretFile, terminal),
            providerRules,
          })
        : undefined;
      const progress = createProgress(terminal.err);
      const result = await run(options, async (client) => {
        const id = app ?? (await onlyApplication(client));
        const read = await readLabelFile(file, { label, digest });
        if (read.badLines > 0) throw refuseLines(file, read.bad, read.badLines);
        if (read.labels.length === 0) throw refuseFile(`no label in ${file}`);
        const all = counted(read.labels.length, "label");
        const sent = await importLabels(client, id, read.labels, (done) =>
          progress.show(`${done.toLocaleString("en-US")} of ${all}`),
        );
        return { ...sent, undigested: read.labels.filter(isUndigested).length };
      }).finally(() => progress.close());
      const { imported, unchanged, undigested } = result;
      const later = unchanged > 0 ? `; ${unchanged} already had the same or a later label` : "";
      if (undigested > 0 && !options.json) {
        await terminal.err.write(
          `${counted(undigested, "account")} without a digest, so rehearsals ignore the labels. Set ${LOG_SECRET.variable} or --secret-file before you import accounts\n`,
        );
      }
      await show(options, result, `Imported ${counted(imported, "label")}${later}\n`);
    });
}

/** Returns true for a label of an account whose decisions cannot be found. */
function isUndigested({ account, digest }: ReportedLabel): boolean {
  return account !== undefined && digest === undefined;
}

/** A report is at most a few hundred kilobytes. */
const BATCH = 1_000;

async function importLabels(
  client: AdminClient,
  id: string,
  labels: readonly ReportedLabel[],
  onSent: (labels: number) => void,
): Promise<{ readonly imported: number; readonly unchanged: number }> {
  let imported = 0;
  let unchanged = 0;
  for (let start = 0; start < labels.length; start += BATCH) {
    const batch = labels.slice(start, start + BATCH);
    try {
      const report = await client.call("POST /applications/{id}/labels", {
        parts: { id },
        body: [...batch],
      });
      const refused = report.elements.find((element) => element.state === "refused");
      if (refused) throw refuseFile(`the service refused a label: ${refused.reason}`);
      imported += report.accepted;
      unchanged += report.duplicates;
    } catch (error) {
      if (start === 0 || !isRiskGateError(error)) throw error;
      const message = `${error.message}; the first ${start} of ${labels.length} labels were imported`;
      throw new RiskGateError(error.code, message, {
        cause: error,
        hint: "Import the same file again: labels that are stored count once",
      });
    }
    onSent(start + batch.length);
  }
  return { imported, unchanged };
}

function refuseLines(file: string, bad: readonly BadLine[], lines: number): RiskGateError {
  const shown = bad.map(({ line, reason }) => `line ${line}: ${printable(reason)}`).join("; ");
  const more = lines > bad.length ? `; and ${lines - bad.length} more` : "";
  return refuseFile(
    `${file}: ${counted(lines, "line")} not usable, nothing imported: ${shown}${more}`,
  );
}

function refuseFile(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    hint: "Correct the file and import it again",
  });
}
