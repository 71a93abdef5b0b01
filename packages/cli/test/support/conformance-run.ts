import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformanceReport } from "../../src/conformance/conformance-report.js";
import { runCommand } from "./run-command.js";

/** The secret of the receivers that are judged. */
export const SECRET = "conformance-secret-1";

/** A file with the secret, in a folder. */
export function secretFile(folder: string): string {
  const file = join(folder, "secret.txt");
  writeFileSync(file, `${SECRET}\n`);
  return file;
}

/** Judge a receiver, and tell the cases by what became of them. */
export async function judgeReceiver(url: string, ...args: string[]) {
  const env = { RISKGATE_SIGNING_SECRET: SECRET };
  const all = ["conformance", "webhook", "--url", url, "--json", ...args];
  const { status, stdout, stderr } = await runCommand(all, { env });
  if (stdout === "") throw new Error(stderr);
  const report = JSON.parse(stdout) as ConformanceReport;
  const idsOf = (state: string): string[] =>
    report.cases.filter((result) => result.state === state).map(({ id }) => id);
  return { status, report, failed: idsOf("failed"), warned: idsOf("warned") };
}
