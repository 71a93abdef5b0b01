import type { ApiKey } from "@riskgate/api-types";
import { RiskGateError } from "@riskgate/core";
import { Option } from "commander";
import type { AdminCommandOptions, AdminCommands } from "../admin/admin-commands.js";
import { readNewSecret, SIGNING_SECRET } from "../input/secret-source.js";
import { wholeNumber } from "../options/command-context.js";
import { printable } from "../terminal/printable.js";
import { timeText } from "../terminal/time-text.js";
import type { Terminal } from "../terminal/terminal.js";

interface KeyOptions extends AdminCommandOptions {
  readonly report?: true;
  readonly blocks?: true;
  readonly revoke?: string;
  readonly set?: string;
  readonly quota?: number;
  readonly quotaSeconds?: number;
}

interface RotateOptions extends AdminCommandOptions {
  readonly overlapHours: number;
  readonly secretFile?: string;
  readonly finish?: true;
}

const MAX_OVERLAP_HOURS = 24 * 90;

export function addKeyCommand({ add, run, show }: AdminCommands): void {
  add(
    "key <id>",
    "create another API key, change the quota of one, or revoke one",
    "riskgate app key 5f1e7c0a9b3d4e2f8a6c1d70",
  )
    .addOption(new Option("--report", "a key that can only send reports").conflicts("blocks"))
    .option("--blocks", "a key that can only read the blocks in force")
    .option("--quota <n>", "requests in each window; 0 for no limit", wholeNumber(0, 1e9))
    .option("--quota-seconds <n>", "length of a window; default 60", wholeNumber(1, 86_400))
    .addOption(
      new Option("--revoke <key-id>", "revoke this key instead; see `app show`").conflicts([
        "report",
        "blocks",
        "quota",
        "quotaSeconds",
      ]),
    )
    .addOption(
      new Option("--set <key-id>", "give this key the quota instead; see `app show`").conflicts([
        "report",
        "blocks",
        "revoke",
      ]),
    )
    .action(async (id: string, options: KeyOptions) => {
      const { report, blocks, revoke, set, quota: requests, quotaSeconds: seconds } = options;
      if (seconds !== undefined && !requests) {
        throw new RiskGateError("CONFIG_INVALID", "--quota-seconds needs --quota", {
          hint: "See riskgate app key --help",
        });
      }
      if (set !== undefined && requests === undefined) {
        throw new RiskGateError("CONFIG_INVALID", "--set needs --quota", {
          hint: "Add the number of requests, or --quota 0 for no limit",
        });
      }
      const quota = requests ? { requests, seconds: seconds ?? 60 } : null;
      if (set !== undefined) {
        const changed = await run(options, (client) =>
          client.call("PATCH /applications/{id}/keys/{keyId}", {
            parts: { id, keyId: set },
            body: { quota },
          }),
        );
        await show(options, changed, `Key ${printable(set)}: ${quotaText(changed.key.quota)}\n`);
      } else if (revoke === undefined) {
        const { key } = await run(options, (client) =>
          client.call("POST /applications/{id}/keys", {
            parts: { id },
            body: { scope: report ? "report" : blocks && "blocks", quota },
          }),
        );
        await show(options, { key }, `${printable(key)}\n`);
      } else {
        await run(options, (client) =>
          client.call("DELETE /applications/{id}/keys/{keyId}", { parts: { id, keyId: revoke } }),
        );
        await show(options, { revoked: revoke }, `Revoked ${printable(revoke)}\n`);
      }
    });
}

export function quotaText(quota: ApiKey["quota"]): string {
  return quota ? `${quota.requests} requests in ${quota.seconds} seconds` : "no quota";
}

export function addRotateCommand({ add, run, show }: AdminCommands, terminal: Terminal): void {
  add("rotate <id>", "create a new signing secret", "riskgate app rotate 5f1e7c0a9b3d4e2f8a6c1d70")
    .option(
      "--overlap-hours <n>",
      "hours that the old secret still signs, while you give receivers both; 0 to switch at once",
      wholeNumber(0, MAX_OVERLAP_HOURS),
      24,
    )
    .option("--secret-file <file>", "read the new secret from a file, or `-` for standard input")
    .option("--finish", "end the overlap of the last rotation now: sign with the new secret")
    .action(async (id: string, options: RotateOptions) => {
      const { json, finish, overlapHours, secretFile } = options;
      if (finish) {
        const answer = await run(options, (client) =>
          client.call("POST /applications/{id}/secrets/finish", { parts: { id } }),
        );
        const text = answer.finished
          ? "The new secret signs from now on"
          : "No rotation is under way";
        return show(options, answer, `${text}\n`);
      }
      const secret =
        secretFile === undefined
          ? undefined
          : await readNewSecret(SIGNING_SECRET, secretFile, terminal);
      const body = { overlapMs: overlapHours * 3_600_000, secret };
      const rotated = await run(options, (client) =>
        client.call("POST /applications/{id}/secrets", { parts: { id }, body }),
      );
      await show(options, rotated, `${printable(rotated.secret)}\n`);
      if (json || !rotated.signsFrom) return;
      await terminal.err.write(
        `The old secret signs until ${printable(timeText(rotated.signsFrom))}. Give receivers both, then wait or use --finish.\n`,
      );
    });
}
