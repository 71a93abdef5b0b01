import type { DatabaseStatus } from "@riskgate/service";
import type { Command } from "commander";
import { dataDirOf } from "../admin/admin-access.js";
import { addCommand, capitalised, type CommandContext } from "../options/command-context.js";
import { databaseOption, requireDatabase, shownUrl } from "../options/database-url.js";
import { jsonLine } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
import { secondsSince } from "../terminal/seconds-since.js";
import { formatTable } from "../terminal/table.js";

interface DatabaseOptions {
  readonly database?: string;
  readonly snapshot?: true;
  readonly dataDir?: string;
  readonly json?: true;
}

export function addDbCommand(program: Command, { terminal }: CommandContext): void {
  const db = addCommand(program, "db", {
    summary: "prepare a PostgreSQL database, or copy a data directory to one",
    description:
      "`copy` needs the service on the data directory to be stopped, unless you pass --snapshot.",
    examples: {
      "riskgate db migrate --database postgres://riskgate@db/riskgate":
        "Create or update its tables",
      "riskgate db copy --data-dir data": "Copy a data directory to RISKGATE_DATABASE_URL",
    },
  });
  const load = () => import("@riskgate/service");

  const show = async (
    options: DatabaseOptions,
    ask: (url: string) => Promise<DatabaseStatus>,
  ): Promise<void> => {
    const url = requireDatabase(options.database, terminal);
    const status = await ask(url);
    const rows = [
      ["Database", shownUrl(url)],
      ["Migrations", status.migrations.join(", ") || "none"],
      ["Pending", status.pending.join(", ") || "none"],
      ["Bytes", String(status.usage.databaseBytes)],
      ...Object.entries(status.tables ?? {}).map(([table, count]) => [table, String(count)]),
    ];
    await terminal.out.write(options.json ? jsonLine(status) : formatTable(rows));
  };
  const add = (name: string, summary: string, example: string): Command =>
    addCommand(db, name, {
      summary,
      examples: { [example]: capitalised(summary) },
    })
      .addOption(databaseOption())
      .option("--json", "print one JSON object");

  add(
    "migrate",
    "create or update the tables",
    "riskgate db migrate --database postgres://riskgate@db/riskgate",
  ).action(async (options: DatabaseOptions) => show(options, (await load()).migrateDatabase));
  add(
    "status",
    "show migrations, size and rows by table; the service may be running",
    "riskgate db status --json",
  ).action(async (options: DatabaseOptions) => show(options, (await load()).databaseStatus));
  add(
    "copy",
    "copy a data directory to an empty database, in one transaction",
    "riskgate db copy --data-dir data",
  )
    .option("--data-dir <directory>", "the data directory (else RISKGATE_DATA_DIR)")
    .option("--snapshot", "copy the data as it is now, while the service continues")
    .action(async (options: DatabaseOptions) => {
      const { copyDatabase } = await load();
      const url = requireDatabase(options.database, terminal);
      const dataDir = dataDirOf(options, terminal);
      const progress = createProgress(terminal.err);
      const startedMs = performance.now();
      const counts = await copyDatabase({
        dataDir,
        database: url,
        snapshot: options.snapshot ?? false,
        onProgress({ table, copied, rows }) {
          progress.show(`${table}: ${copied} of ${rows}`);
        },
      }).finally(() => progress.close());
      const rows = Object.entries(counts).map(([table, count]) => [table, String(count)]);
      const text = `${formatTable(rows)}Copied ${dataDir} to ${shownUrl(url)} in ${secondsSince(startedMs)}\n`;
      await terminal.out.write(options.json ? jsonLine(counts) : text);
    });
}
