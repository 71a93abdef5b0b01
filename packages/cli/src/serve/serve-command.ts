import { RiskGateError } from "@riskgate/core";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateDirectory } from "@riskgate/core/internal";
import type { Service, ServiceOptions } from "@riskgate/service";
import { type Command, Option } from "commander";
import {
  type AdminOptions,
  dataDirOf,
  DEFAULT_DATA_DIR,
  runningOn,
} from "../admin/admin-access.js";
import {
  type AdminAddress,
  adminFile,
  leaveAdminAddress,
  removeAdminAddress,
} from "../admin/admin-address.js";
import { createAdminClient } from "../admin/admin-client.js";
import { addCommand, type CommandContext, listOfNetworks } from "../options/command-context.js";
import { databaseOption, findDatabase } from "../options/database-url.js";
import { openFeedsDirectory } from "../feeds/feeds-directory.js";
import { type GeoFiles, geoOf } from "../feeds/geo-files.js";
import { httpUrl } from "../options/http-url.js";
import { keepSandbox, openSandbox, readSandbox, type Sandbox, SANDBOX_FILE } from "./sandbox.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { localUrl } from "../http/server-address.js";
import {
  addListenOptions,
  checkPorts,
  listenAddressOf,
  type ListenOptions,
} from "./listen-options.js";
import { createServiceLogger, LOG_LEVELS, type LogLevel } from "./service-logger.js";
import { findSecret, METRICS_TOKEN, NEW_ADMIN_TOKEN } from "../input/secret-source.js";
import { startService } from "./service-module.js";
import { readServiceSettings } from "./service-settings.js";
import { startedText } from "./started-text.js";
import type { Output, Terminal } from "../terminal/terminal.js";
import { withoutRepeats } from "./without-repeats.js";

interface ServeOptions
  extends Pick<AdminOptions, "adminTokenFile" | "dataDir">, GeoFiles, ListenOptions {
  readonly adminOrigin?: string;
  readonly database?: string;
  readonly feedsDir?: string;
  readonly settings?: string;
  readonly metricsTokenFile?: string;
  readonly sandbox?: true;
  readonly webhookUrl?: URL;
  readonly allow?: readonly string[];
  readonly log?: LogLevel;
  readonly json?: true;
}

export function addServeCommand(program: Command, { terminal }: CommandContext): void {
  const serving = addCommand(program, "serve", {
    summary: "run the service",
    description:
      "Run the service: lookups, reports and deliveries, and on a separate port or socket administration under /admin/v1, the console under /console/ and /metrics. Ctrl-C or SIGTERM stops it after everything in progress has finished; a second one stops it at once.\n\n" +
      "With --sandbox the service creates an application, prints its keys and secret, and answers magic inputs. With --data-dir they are kept for the next start; otherwise nothing is kept.\n\n" +
      `While the service runs, other commands of the same user find its address and token in admin.json of the data directory, even if it uses a database (then ${DEFAULT_DATA_DIR} in the working directory, or RISKGATE_DATA_DIR). If several processes share a database, only the first one writes the file: set the same RISKGATE_ADMIN_TOKEN for all.`,
    examples: {
      "riskgate serve --sandbox": "Try it; prints base URL, keys and secret",
      "riskgate serve --data-dir data --feeds-dir feeds --geo GeoLite2-City.mmdb":
        "Run it; then `riskgate app create Shop --data-dir data`",
      "riskgate serve --sandbox --webhook-url http://127.0.0.1:4000 --allow 127.0.0.0/8":
        "Deliver to `riskgate listen` on this machine",
    },
  })
    .option(
      "--data-dir <directory>",
      `data directory (else RISKGATE_DATA_DIR, ${DEFAULT_DATA_DIR})`,
    )
    .addOption(databaseOption());
  addListenOptions(serving)
    .option(
      "--admin-origin <origin>",
      "where browsers reach the console behind a proxy, such as https://risk.example.com (else RISKGATE_ADMIN_ORIGIN)",
    )
    .option("--feeds-dir <directory>", "directory with feeds; see `riskgate feeds`")
    .option("--geo <file>", "MaxMind DB file of cities or countries")
    .option("--asn <file>", "MaxMind DB file of autonomous systems")
    .option("--settings <file>", "JSON file of thresholds, limits and retention; see the README")
    .option(
      "--admin-token-file <file>",
      "file with the administration token (else RISKGATE_ADMIN_TOKEN, else generated and stored in admin.json of the data directory)",
    )
    .option(
      "--metrics-token-file <file>",
      "file with a token for /metrics (else RISKGATE_METRICS_TOKEN, else the administration token if other machines can connect to /metrics)",
    )
    .option("--sandbox", "create a test application, and answer magic inputs")
    .option("--webhook-url <url>", "webhook URL of the sandbox", httpUrl)
    .option(
      "--allow <cidr>",
      "also deliver the sandbox's payloads to this private network; repeatable",
      listOfNetworks,
    )
    .addOption(
      new Option("--log <level>", "log requests, deliveries and errors as JSON to stderr").choices(
        LOG_LEVELS,
      ),
    )
    .option("--json", "print one JSON object once it listens")
    .action(async (options: ServeOptions) => {
      if (!options.sandbox) refuseSandboxOptions(options);
      const stopped = terminal.stopped();
      const isFleeting = options.sandbox === true && options.dataDir === undefined;
      const dataDir = isFleeting
        ? mkdtempSync(join(tmpdir(), "riskgate-"))
        : dataDirOf(options, terminal);
      try {
        await serve(dataDir, options, terminal, stopped);
      } finally {
        if (isFleeting) rmSync(dataDir, { recursive: true, force: true });
      }
    });
}

function refuseSandboxOptions({ webhookUrl, allow }: ServeOptions): void {
  const name = webhookUrl ? "--webhook-url" : allow && "--allow";
  if (name === undefined) return;
  throw new RiskGateError("CONFIG_INVALID", `${name} is for --sandbox`, {
    hint: "Give an application its URL: riskgate app create Shop --webhook-url URL --allow CIDR",
  });
}

/** An option's directory takes precedence over a database from the environment. */
function databaseOf(
  { database, dataDir, sandbox }: ServeOptions,
  terminal: Terminal,
): string | undefined {
  if (database !== undefined && dataDir !== undefined) {
    throw new RiskGateError("CONFIG_INVALID", "given both --data-dir and --database", {
      hint: "Give only the one that has the service's data",
    });
  }
  const isElsewhere = dataDir !== undefined || sandbox === true;
  return isElsewhere && database === undefined ? undefined : findDatabase(database, terminal);
}

async function serve(
  dataDir: string,
  options: ServeOptions,
  terminal: Terminal,
  stopped: Promise<void>,
): Promise<void> {
  const { json } = options;
  const givenToken = findSecret(NEW_ADMIN_TOKEN, options.adminTokenFile, terminal);
  // Without --data-dir, the sandbox is in a temporary directory.
  const isKept = options.sandbox === true && options.dataDir !== undefined;
  const kept = isKept ? await readSandbox(join(dataDir, SANDBOX_FILE)) : undefined;
  const generated = kept?.adminToken ?? randomBytes(24).toString("hex");
  const token = givenToken ?? generated;
  const proofKey = randomBytes(32).toString("hex");
  const database = databaseOf(options, terminal);
  // Checks the ports first, so that a failed start leaves no new directory.
  if (database === undefined && !existsSync(dataDir)) {
    await checkPorts(options);
  }
  const service = await open(
    {
      ...(database === undefined ? { dataDir } : { database }),
      adminToken: token,
      adminProofKey: proofKey,
    },
    options,
    terminal,
  );
  let left: AdminAddress | undefined;
  try {
    const listening = await service.listen(listenAddressOf(options));
    const { url, adminUrl } = listening;
    const address = { url: adminUrl, baseUrl: localUrl(url), token, proofKey };
    // With a database, the directory has only this file, and other processes that share the
    // database may use the same directory.
    if (database !== undefined) await makePrivateDirectory(dataDir);
    if (database !== undefined && (await runningOn(dataDir))) {
      if (givenToken === undefined) await tellLostToken(dataDir, terminal.err);
    } else {
      leaveAdminAddress(dataDir, address);
      left = address;
    }
    const sandbox = options.sandbox && (await sandboxOf(service, address, kept, options));
    if (isKept && sandbox) await keepSandbox(dataDir, { ...sandbox, adminToken: generated });
    const known = { ...listening, dataDir, ...sandbox };
    const started = {
      ...listening,
      dataDir,
      database,
      sandbox: sandbox || undefined,
      left,
      options,
    };
    const generatedToken = givenToken === undefined ? token : undefined;
    await terminal.out.write(
      json ? jsonLine(known) : await startedText({ ...started, generatedToken }),
    );
    await stopped;
  } finally {
    if (left) removeAdminAddress(dataDir, left);
    await service.close();
  }
}

async function open(
  fixed: Pick<ServiceOptions, "dataDir" | "database" | "adminToken" | "adminProofKey">,
  { feedsDir, settings, log, metricsTokenFile, ...files }: ServeOptions,
  terminal: Terminal,
): Promise<Service> {
  const { env, err } = terminal;
  const adminOrigin = files.adminOrigin ?? (env["RISKGATE_ADMIN_ORIGIN"] || undefined);
  const metricsToken = findSecret(METRICS_TOKEN, metricsTokenFile, terminal);
  const feeds = feedsDir === undefined ? undefined : await openFeedsDirectory(feedsDir);
  return startService({
    ...(settings !== undefined && (await readServiceSettings(settings))),
    ...fixed,
    ...(metricsToken !== undefined && { metricsToken }),
    ...(adminOrigin !== undefined && { adminOrigin }),
    ...(feeds && { feeds: feeds.files }),
    ...(feeds?.updates && { feedUpdates: feeds.updates }),
    ...geoOf(files),
    ...(log === undefined ? tellTroubles(err) : { logger: createServiceLogger(log) }),
  });
}

/** Warns that the generated token is not stored, so nobody can administer this process. */
async function tellLostToken(dataDir: string, err: Output): Promise<void> {
  const file = adminFile(dataDir);
  await err.write(
    `${err.paint("warn", "riskgate:")} ${printable(file)} belongs to another running service: set the same RISKGATE_ADMIN_TOKEN for all of them to administer this one\n`,
  );
}

function tellTroubles(err: Output): Pick<ServiceOptions, "onNotice" | "onError"> {
  const tell = withoutRepeats(
    (message) => void err.write(`${err.paint("warn", "riskgate:")} ${printable(message)}\n`),
  );
  return {
    onNotice(notice) {
      if (notice.type === "disabled")
        tell(`application ${notice.applicationId} was disabled: ${notice.reason}`);
      if (notice.type === "stalled") tell(`deliveries are paused: ${notice.error.message}`);
    },
    onError: (error) => tell(error instanceof Error ? error.message : "unknown error"),
  };
}

function sandboxOf(
  service: Service,
  { url, token }: AdminAddress,
  kept: Sandbox | undefined,
  { webhookUrl, allow }: ServeOptions,
): Promise<Sandbox> {
  const host = {
    client: createAdminClient(new URL(url), token),
    signingSecrets: (id: string) => service.signingSecrets(id),
  };
  const settings = { webhookUrl: webhookUrl?.href, allowedDestinations: allow };
  return openSandbox(host, kept, settings);
}
