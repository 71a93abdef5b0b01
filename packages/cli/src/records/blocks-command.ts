import type { AdminAnswer, Block } from "@riskgate/api-types";
import { RiskGateError } from "@riskgate/core";
import { normalizeIp } from "@riskgate/core/address";
import { Argument, type Command } from "commander";
import { type AdminCommandOptions, adminCommands } from "../admin/admin-commands.js";
import { shortId } from "../admin/short-id.js";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { printable } from "../terminal/printable.js";
import { timeText } from "../terminal/time-text.js";

interface ListOptions extends AdminCommandOptions {
  readonly app?: string;
}

interface BlockOptions extends ListOptions {
  readonly minutes: number;
  readonly note?: string;
}

interface AllowOptions extends AdminCommandOptions {
  readonly remove?: true;
}

interface Subjects {
  readonly ips?: readonly string[];
  readonly accounts?: readonly string[];
}

const MAX_MINUTES = 30 * 24 * 60;

/** Adds `riskgate blocks`, which blocks, releases and allows addresses and accounts. */
export function addBlocksCommand(program: Command, { terminal }: CommandContext): void {
  const blocks = addCommand(program, "blocks", {
    summary: "block, release and allow addresses and accounts",
    description:
      "Show the blocks in force, and block, release or allow IP addresses and accounts. The applications of the service receive a security response, as from a playbook.",
    examples: {
      "riskgate blocks add 203.0.113.7 ann@example.com --minutes 120":
        "Block an address and an account for two hours, in all applications",
      "riskgate blocks release 203.0.113.7": "End a block",
    },
  });
  const { add, list, run, show } = adminCommands(blocks, terminal);
  const addAction = (name: string, summary: string): Command =>
    add(name, summary, `riskgate blocks ${name} 203.0.113.7`).addArgument(
      new Argument("<subject...>", "IP addresses, and accounts as the application names them"),
    );

  list("blocks", {
    summary: "list the blocks in force, newest first",
    example: "riskgate blocks list",
    head: ["TARGET", "APPLICATION", "SINCE", "UNTIL", "BY"],
    find: (client, { app }: ListOptions) =>
      client.call("GET /blocks", { query: { applicationId: app } }),
    row: ({ target, applicationId, since, until, playbook }: Block) => [
      target,
      shortId(applicationId),
      timeText(since),
      timeText(until),
      playbook.name,
    ],
  }).option("--app <id>", "only blocks in this application");

  addAction("add", "block IP addresses and accounts")
    .option("--app <id>", "only in this application")
    .option("--minutes <n>", "how long", wholeNumber(1, MAX_MINUTES), 60)
    .option("--note <text>", "why, for the list of blocks")
    .action(async (given: readonly string[], options: BlockOptions) => {
      const { app: applicationId, minutes, note } = options;
      const body = { ...subjectsOf(given), applicationId, durationMs: minutes * 60_000, note };
      const answer = await run(options, (client) => client.call("POST /blocks", { body }));
      const text = `Blocked ${named(given)} for ${counted(minutes, "minute")} ${placesOf(answer)}\n`;
      await show(options, answer, text);
    });

  addAction("release", "end the blocks of IP addresses and accounts")
    .option("--app <id>", "only in this application")
    .action(async (given: readonly string[], options: ListOptions) => {
      const body = { ...subjectsOf(given), applicationId: options.app };
      const answer = await run(options, (client) => client.call("POST /releases", { body }));
      const isBlocked = answer.sentTo.length > 0;
      const text = isBlocked ? `Released ${named(given)} ${placesOf(answer)}` : NONE_BLOCKED;
      await show(options, answer, `${text}\n`);
    });

  addAction("allow", "allow IP addresses and accounts, which ends their blocks")
    .option("--remove", "allow them no longer")
    .action(async (given: readonly string[], { remove, ...options }: AllowOptions) => {
      const body = { ...subjectsOf(given), allowed: !remove };
      const answer = await run(options, (client) => client.call("POST /allowances", { body }));
      const verb = remove ? "No longer allowed:" : "Allowed";
      const released = answer.sentTo.length > 0 ? `, released ${placesOf(answer)}` : "";
      await show(options, answer, `${verb} ${named(given)}${released}\n`);
    });
}

const NONE_BLOCKED = "Nothing released: no application blocks any of them";

/** Text that is meant as an address or a network: a misspelt one must not become an account. */
const LIKE_ADDRESS = /^[\d./]*\.[\d./]*$|^[\da-f.]*:[\da-f:.%/]*$/i;

function subjectsOf(given: readonly string[]): Subjects {
  const wrong = given.find((one) => LIKE_ADDRESS.test(one) && normalizeIp(one) === undefined);
  if (wrong !== undefined) {
    throw new RiskGateError("CONFIG_INVALID", `${printable(wrong)} is not an IP address`, {
      hint: "Name single addresses; to refuse a network, use an operator rule with `network`",
    });
  }
  const ips = given.filter((one) => normalizeIp(one) !== undefined);
  const accounts = given.filter((one) => normalizeIp(one) === undefined);
  return { ...(ips.length > 0 && { ips }), ...(accounts.length > 0 && { accounts }) };
}

function named(given: readonly string[]): string {
  return given.map(printable).join(", ");
}

function placesOf({ sentTo }: AdminAnswer<"POST /blocks">): string {
  const places = sentTo.map(({ name, isSent }) =>
    printable(isSent ? name : `${name}, which receives no security responses`),
  );
  return places.length === 0
    ? "nowhere: the service has no application"
    : `in ${places.join("; ")}`;
}
