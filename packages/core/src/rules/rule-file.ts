import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { readOptions } from "../base/options.js";
import { warn } from "../base/warning.js";
import type { RuleVocabulary } from "./rule-vocabulary.js";
import { rulesRefused } from "./rule-problem.js";
import { compileRules, type OperatorRules } from "./rule-set.js";
import { checkRuleText } from "./rule-text.js";

export interface RuleFileOptions {
  /**
   * Interval between checks of the file, in milliseconds; default 1,000, 0 for never. A change is
   * loaded once two consecutive checks find the same file.
   */
  readonly pollMs?: number;
  /** Receives problems in a changed file; the previous rules stay in use. By default a warning. */
  readonly onError?: ErrorHook;
}

export interface OperatorRuleFile<Outcome extends string> extends OperatorRules<Outcome> {
  /**
   * Loads the file now. If this fails, the previous rules stay in use.
   *
   * @throws {RiskGateError} CONFIG_INVALID, with the line, the column and the reason.
   */
  reload(): Promise<void>;
  /** Stops checking the file; the rules stay in use. */
  close(): void;
}

/** Larger files are rejected. */
const MAX_BYTES = 4 * 1024 * 1024;

const MAX_POLL_MS = 3_600_000;

/**
 * Opens a rule file.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read or contains an invalid rule.
 */
export async function openRuleFile<Outcome extends string>(
  path: string,
  given: RuleFileOptions,
  vocabulary: RuleVocabulary<Outcome>,
): Promise<OperatorRuleFile<Outcome>> {
  const { pollMs, onError } = readOptions("openRules", given, (options) => ({
    pollMs: options.durationMs("pollMs", 1_000, { min: 0, max: MAX_POLL_MS }),
    onError: options.function<ErrorHook>("onError"),
  }));
  const report = onError ? createErrorReport(onError) : warnOf;
  const read = async (): Promise<OperatorRules<Outcome>> => {
    const { rules, problems } = await checkRuleText(await readText(path), vocabulary);
    if (problems.length > 0) throw rulesRefused(path, problems);
    return compileRules(rules);
  };

  let state = await stateOf(path);
  let current = await read();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  let begun = 0;
  let shown = 0;
  /** A slow load does not replace the rules from a load that started later. */
  const load = async (): Promise<void> => {
    const turn = ++begun;
    const loaded = await read();
    if (turn < shown) return;
    shown = turn;
    current = loaded;
  };

  let loadedState = state;
  const look = async (): Promise<void> => {
    const found = await stateOf(path);
    const isSettled = found === state;
    state = found;
    if (!isSettled || found === loadedState) return;
    loadedState = found;
    try {
      await load();
    } catch (error) {
      if (!isClosed) report(error as RiskGateError);
    }
  };
  const wait = (): void => {
    if (pollMs === 0 || isClosed) return;
    timer = setTimeout(() => void look().finally(wait), pollMs).unref();
  };
  wait();

  return {
    get rules() {
      return current.rules;
    },
    match: (facts) => current.match(facts),
    async reload() {
      const found = await stateOf(path);
      await load();
      loadedState = found;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns text that changes with the file, even if it is replaced or is a link target. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Devices and pipes do not report their size.
    for await (const chunk of createReadStream(path, { end: MAX_BYTES }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RiskGateError("CONFIG_INVALID", `${path} cannot be read: ${code}`, {
      cause,
      hint: "Check the path and the permissions of the file",
    });
  }
  if (size > MAX_BYTES) throw rulesRefused(path, [{ pointer: "", reason: "over 4 MiB" }]);
  return Buffer.concat(chunks).toString();
}

/** Rule files contain no secrets, so the warning can quote the problem. */
function warnOf({ message }: RiskGateError): void {
  warn(
    "RISKGATE_RULES_NOT_LOADED",
    `riskgate is still using the previous rules. ${message}`,
    10_000,
  );
}
