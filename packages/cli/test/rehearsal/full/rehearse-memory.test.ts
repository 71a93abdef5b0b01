import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logText, recordOf } from "../../support/decision-records.js";
import { startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

const LINES = 1_000_000;
const BLOCK = 1_000;
/** The log has 400 MB: a command that held it would need more than that. */
const MAX_BYTES = 350e6;

const WATCH =
  'process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`))';

describe("riskgate rehearse", () => {
  const scratch = scratchDirectory();

  it(
    "reads a million lines in bounded memory, and shows how far it is",
    { timeout: 300_000 },
    async () => {
      const log = join(scratch.path, "decisions.jsonl");
      const file = openSync(log, "w");
      for (let at = 0; at < LINES; at += BLOCK) {
        const records = Array.from({ length: BLOCK }, (_, one) =>
          recordOf(one % 100, {}, { route: `GET /${at + one}` }),
        );
        writeSync(file, logText(records));
      }
      closeSync(file);
      const args = ["rehearse", "--log", log, "--reject-above", "70", "--format", "json"];
      const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(WATCH)}"` };
      const { status, stdout, stderr } = await startCommand(args, { env, limitMs: 280_000 }).ended;
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        decisions: LINES,
        changed: LINES / 10,
        broken: 0,
      });
      const peakBytes = Number(/^peak (\d+)$/m.exec(stderr)?.[1]) * 1024;
      expect(peakBytes).toBeLessThan(MAX_BYTES);
    },
  );
});
