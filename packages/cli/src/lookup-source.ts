import { createRiskClient, RiskGateError, type Assessment } from "@riskgate/core";
import { createEngine, type Explanation } from "@riskgate/engine";
import { feedsIn } from "./feeds-directory.js";
import { API_KEY, requireSecret } from "./secret-source.js";
import type { Terminal } from "./terminal.js";

/** What kind of identifier a lookup is about. */
export type Subject = "ip" | "email";

/** Where answers come from. */
export interface LookupSource {
  /** Lookups that it is worth having under way at once. */
  readonly concurrency: number;
  ask(subject: Subject, identifier: string): Promise<Answer>;
  close(): Promise<void>;
}

/** An assessment, with its reasons where they were asked for. */
export interface Answer {
  readonly assessment: Assessment;
  readonly signals?: Explanation<Assessment>["signals"];
}

/** Options that say where answers come from. */
export interface SourceOptions {
  readonly url?: string;
  readonly apiKeyFile?: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly feedsDir?: string;
  readonly geo?: string;
  readonly explain?: true;
}

/**
 * Open the service at `url`, or without one the engine inside this process.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function openLookupSource(
  options: SourceOptions,
  terminal: Terminal,
): Promise<LookupSource> {
  return options.url === undefined
    ? openEngine(options)
    : openClient(options.url, options, terminal);
}

async function openEngine({ feedsDir, geo, explain }: SourceOptions): Promise<LookupSource> {
  const engine = await createEngine({
    feeds: feedsDir === undefined ? [] : await feedsIn(feedsDir),
    ...(geo !== undefined && { geo }),
  });
  return {
    concurrency: 1,
    async ask(subject, identifier) {
      if (!explain) {
        const assessment = await (subject === "ip"
          ? engine.lookupIp(identifier)
          : engine.lookupEmail(identifier));
        return { assessment };
      }
      const { assessment, signals }: Explanation<Assessment> =
        subject === "ip" ? engine.explainIp(identifier) : engine.explainEmail(identifier);
      return { assessment, signals };
    },
    close: () => engine.close(),
  };
}

async function openClient(
  baseUrl: string,
  { apiKeyFile, timeoutMs, concurrency, explain, feedsDir, geo }: SourceOptions,
  terminal: Terminal,
): Promise<LookupSource> {
  if (explain || feedsDir !== undefined || geo !== undefined) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      "`--explain`, `--feeds-dir` and `--geo` are for the embedded engine, not for `--url`",
      { hint: "A service answers with its own data and does not give reasons" },
    );
  }
  const apiKey = requireSecret(API_KEY, apiKeyFile, terminal);
  const client = createRiskClient({ baseUrl, apiKey, timeoutMs, maxConnections: concurrency });
  return {
    concurrency,
    ask: async (subject, identifier) => ({
      assessment: await (subject === "ip"
        ? client.lookupIp(identifier)
        : client.lookupEmail(identifier)),
    }),
    close: () => client.close(),
  };
}
