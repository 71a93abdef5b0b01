import type { IpExplanation } from "@riskgate/api-types";
import { findApplication } from "../admin/full-id-client.js";
import {
  type Assessment,
  createRiskClient,
  isRiskGateError,
  type RiskClient,
  type RiskClientOptions,
  RiskGateError,
  type RiskLookup,
} from "@riskgate/core";
import { createEngine, type Engine } from "@riskgate/engine";
import { createAdminClient } from "../admin/admin-client.js";
import { feedsIn } from "../feeds/feeds-directory.js";
import { type GeoFiles, geoOf } from "../feeds/geo-files.js";
import { problemOf } from "../options/http-url.js";
import { ADMIN_TOKEN, API_KEY, requireSecret } from "../input/secret-source.js";
import type { Terminal } from "../terminal/terminal.js";

export type Subject = "ip" | "email";

export interface LookupSource {
  readonly concurrency: number;
  ask(subject: Subject, identifier: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer extends Partial<Omit<IpExplanation, "assessment">> {
  readonly assessment: Assessment;
}

export interface SourceOptions extends GeoFiles {
  readonly url?: string;
  readonly adminUrl?: URL;
  readonly apiKeyFile?: string;
  readonly adminTokenFile?: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly feedsDir?: string;
  readonly explain?: true;
  readonly app?: string;
}

/**
 * Opens the service at `url` or `adminUrl`, or the engine in this process if neither is given.
 * @throws {RiskGateError} CONFIG_INVALID
 */
export async function openLookupSource(
  options: SourceOptions,
  terminal: Terminal,
): Promise<LookupSource> {
  const { url, adminUrl, explain, feedsDir, geo, asn, app } = options;
  if (explain ? url !== undefined : adminUrl !== undefined) {
    const option = explain ? "--url" : "--admin-url";
    throw new RiskGateError(
      "CONFIG_INVALID",
      `\`${option}\` cannot be used ${explain ? "with" : "without"} \`--explain\``,
      {
        hint: "Give `--url`, or `--admin-url` with `--explain`, because lookups return no reasons",
      },
    );
  }
  if (app !== undefined && adminUrl === undefined) {
    throw new RiskGateError("CONFIG_INVALID", "`--app` cannot be used without `--admin-url`", {
      hint: "Only the administration of a service knows applications",
    });
  }
  if (url === undefined && adminUrl === undefined) return openEngine(options);
  if (feedsDir !== undefined || geo !== undefined || asn !== undefined) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      "`--feeds-dir`, `--geo` and `--asn` are for the embedded engine, not for a service",
      { hint: "A service answers with its own data" },
    );
  }
  return adminUrl
    ? openAdministration(adminUrl, options, terminal)
    : openClient(url!, options, terminal);
}

async function openEngine(options: SourceOptions): Promise<LookupSource> {
  const { feedsDir, explain } = options;
  const engine = await createEngine({
    feeds: feedsDir === undefined ? [] : await feedsIn(feedsDir),
    ...geoOf(options),
  });
  return {
    concurrency: 1,
    ask: async (subject, identifier) =>
      explain ? explained(engine, subject, identifier) : assessed(engine, subject, identifier),
    close: () => engine.close(),
  };
}

async function assessed(lookup: RiskLookup, subject: Subject, id: string): Promise<Answer> {
  return { assessment: await (subject === "ip" ? lookup.lookupIp(id) : lookup.lookupEmail(id)) };
}

/** Returns the embedded engine's reasons in the format of the service. */
function explained(engine: Engine, subject: Subject, identifier: string): Answer {
  if (subject === "email") {
    const { assessment, signals, feeds } = engine.explainEmail(identifier);
    return { assessment, signals, feeds };
  }
  const { assessment, signals, feeds, country, asn } = engine.explainIp(identifier);
  return { assessment, signals, feeds, geo: { country: country ?? null, asn: asn ?? null } };
}

async function openClient(
  baseUrl: string,
  { apiKeyFile, timeoutMs, concurrency }: SourceOptions,
  terminal: Terminal,
): Promise<LookupSource> {
  const apiKey = requireSecret(API_KEY, apiKeyFile, terminal);
  const client = clientOf(baseUrl, { apiKey, timeoutMs, maxConnections: concurrency });
  return {
    concurrency,
    ask: (subject, identifier) => assessed(client, subject, identifier),
    close: () => client.close(),
  };
}

/** Creates a client whose errors name the command's options. */
function clientOf(url: string, options: Omit<RiskClientOptions, "baseUrl">): RiskClient {
  try {
    return createRiskClient({ baseUrl: url, ...options });
  } catch (error) {
    if (!isRiskGateError(error) || !error.message.startsWith("`baseUrl`")) throw error;
    const problem =
      problemOf(url) ??
      (url.includes("?")
        ? "must not contain a query"
        : "must begin with https://: the API key is sent over plain HTTP to this machine only");
    throw new RiskGateError("CONFIG_INVALID", `\`--url\` ${problem}`, {
      cause: error,
      hint: "Give the base URL of the service, such as https://risk.example or http://127.0.0.1:8080",
    });
  }
}

/** The lookup API does not return reasons, so this calls the administration API. */
async function openAdministration(
  url: URL,
  { adminTokenFile, concurrency, app }: SourceOptions,
  terminal: Terminal,
): Promise<LookupSource> {
  const token = requireSecret(ADMIN_TOKEN, adminTokenFile, terminal);
  const client = createAdminClient(url, token);
  const query = {
    applicationId: app === undefined ? undefined : await findApplication(client, app),
  };
  return {
    concurrency,
    ask: (subject, identifier) =>
      subject === "ip"
        ? client.call("GET /explain/ips/{ip}", { parts: { ip: identifier }, query })
        : client.call("GET /explain/emails/{email}", { parts: { email: identifier }, query }),
    async close() {
      // Each call opens and closes its connection.
    },
  };
}
