import { type AdminAddress, adminFile } from "../admin/admin-address.js";
import { createAdminClient } from "../admin/admin-client.js";
import { ADMIN_TOKEN } from "../input/secret-source.js";
import { shownUrl } from "../options/database-url.js";
import { formatTable } from "../terminal/table.js";
import type { Sandbox } from "./sandbox.js";

export interface Started {
  readonly url: string;
  readonly adminUrl: string;
  readonly consoleUrl?: string | undefined;
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly sandbox: Sandbox | undefined;
  /** In admin.json; undefined if the file belongs to another process. */
  readonly left: AdminAddress | undefined;
  /** Undefined if the user gave the token. */
  readonly generatedToken: string | undefined;
  /** The options as they were given. */
  readonly options: {
    readonly adminTokenFile?: string;
    readonly dataDir?: string;
    readonly feedsDir?: string;
  };
}

const NO_FEEDS =
  "none, so public addresses score 0 until they are reported; see `riskgate feeds init`";

/** Returns what `serve` prints once it listens. */
export async function startedText(started: Started): Promise<string> {
  const { url, adminUrl, consoleUrl, dataDir, database, left, sandbox, options } = started;
  const token = tokenText(started);
  const rows = [
    ["Base URL", url],
    ["Administration", adminUrl],
    ...(consoleUrl ? [["Console", consoleUrl]] : []),
    ...(token === undefined ? [] : [["Administration token", token]]),
    database === undefined ? ["Data directory", dataDir] : ["Database", shownUrl(database)],
    ...(database !== undefined && left ? [["Administration file", adminFile(dataDir)]] : []),
    ...(options.feedsDir === undefined ? [["Feeds", NO_FEEDS]] : []),
    ...(sandbox
      ? [
          ["Application", sandbox.applicationId],
          ["API key", sandbox.apiKey],
          ["Report key", sandbox.reportKey],
          ["Signing secret", sandbox.signingSecret],
          ...(sandbox.nextSigningSecret ? [["Next secret", sandbox.nextSigningSecret]] : []),
        ]
      : []),
  ];
  return `${formatTable(rows)}\n${await nextStep(started)}Press Ctrl-C to stop.\n`;
}

/** Returns the token of a sandbox, or the place of another token, which stays secret. */
function tokenText(started: Started): string | undefined {
  const { generatedToken, options, sandbox, left, dataDir } = started;
  if (generatedToken === undefined) {
    return `that of ${options.adminTokenFile ?? ADMIN_TOKEN.variable}`;
  }
  if (sandbox) return generatedToken;
  return left && `in ${adminFile(dataDir)}, as "token"`;
}

/** Returns the command that creates the first application; empty if one exists. */
async function nextStep({ left, options, sandbox, adminUrl }: Started): Promise<string> {
  if (!left || sandbox) return "";
  const client = createAdminClient(new URL(adminUrl), left.token);
  const { applications } = await client.call("GET /applications").catch(() => ({
    // Not worth a failed start.
    applications: undefined,
  }));
  if (applications?.length !== 0) return "";
  const place = options.dataDir === undefined ? "" : ` --data-dir ${quoted(options.dataDir)}`;
  return `Next, create an application: riskgate app create Shop${place}\n`;
}

/** Quotes a path for a shell, if necessary. */
function quoted(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
