import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { NamedSecret } from "@riskgate/core";
import { type Command, Option } from "commander";
import {
  addCommand,
  type CommandContext,
  listOf,
  wholeNumber,
} from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { describePayload } from "./describe-payload.js";
import { httpUrl } from "../options/http-url.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { findSecret, SIGNING_SECRET } from "../input/secret-source.js";
import { closeServer, listenOn } from "../http/server-address.js";
import type { Terminal } from "../terminal/terminal.js";
import { createWebhookListener, type Forwarded, type HeardDelivery } from "./webhook-listener.js";

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly secretFile?: readonly string[];
  readonly answer?: number;
  readonly forwardTo?: URL;
  readonly maxBytes: number;
  readonly count?: number;
  readonly json?: true;
}

export function addListenCommand(program: Command, { terminal }: CommandContext): void {
  addCommand(program, "listen", {
    summary: "receive deliveries on this machine and show them",
    description:
      "Receive deliveries on any path, verify them as an application does, and show their content. Without a signing secret, one is generated and shown. Ctrl-C stops it.",
    examples: {
      "riskgate listen": "Receive at http://127.0.0.1:4000 with a generated secret",
      "riskgate listen --answer 503 --port 4001": "See how a sender retries",
      "riskgate listen --forward-to http://localhost:3000/webhooks/security":
        "See what arrives, and what your application answers",
    },
  })
    .option("--port <n>", "port; 0 chooses a free one", wholeNumber(0, 65_535), 4000)
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option(
      "--secret-file <file>",
      "file with the signing secret; repeatable during a rotation (else RISKGATE_SIGNING_SECRET)",
      listOf,
    )
    .option(
      "--answer <status>",
      "answer verified deliveries with this status",
      wholeNumber(200, 599),
    )
    .addOption(
      new Option(
        "--forward-to <url>",
        "forward verified deliveries to this URL, byte for byte, and return its answer",
      )
        .argParser(httpUrl)
        .conflicts("answer"),
    )
    .option("--max-bytes <n>", "largest body", wholeNumber(2, 1_000_000_000), 5_242_880)
    .option(
      "--count <n>",
      "stop after this many requests, including refused ones",
      wholeNumber(1, 1e9),
    )
    .option("--json", "print one JSON object per line: first the start, then each delivery")
    .action(async (options: ListenOptions) => {
      const given = givenSecrets(options, terminal);
      const made = given.length > 0 ? undefined : randomBytes(24).toString("hex");
      const listener = createWebhookListener({ ...options, secrets: made ?? given });
      // Registered before anything is printed: a script that reads the output may stop the command
      // immediately.
      const stopped = terminal.stopped();
      const server = createServer();
      const allHeard = new Promise<void>((resolve, reject) => {
        let left = options.count ?? Infinity;
        server.on("request", (request, response) => {
          listener(request, response)
            .then(async (delivery) => {
              await terminal.out.write(
                options.json ? jsonLine(delivery) : linesOf(delivery, terminal),
              );
              if (--left === 0) response.once("close", resolve);
              if (left === 0 && response.closed) resolve();
            })
            .catch(reject);
        });
      });
      try {
        const url = await listenOn(server, options.port, options.host);
        await terminal.out.write(
          options.json
            ? jsonLine({ listening: url, secret: made })
            : `Listening on ${url}\n${made === undefined ? "" : `Signing secret, made for this run: ${made}\n`}\n`,
        );
        await Promise.race([allHeard, stopped]);
      } finally {
        await closeServer(server);
      }
    });
}

function givenSecrets({ secretFile }: ListenOptions, terminal: Terminal): NamedSecret[] {
  const files: readonly (string | undefined)[] = secretFile ?? [undefined];
  return files.flatMap((file) => {
    const value = findSecret(SIGNING_SECRET, file, terminal);
    return value === undefined ? [] : [{ id: file ?? SIGNING_SECRET.variable, value }];
  });
}

function linesOf(delivery: HeardDelivery, { out }: Terminal): string {
  const { method, path, status, code, duplicates, forwarded, payloads } = delivery;
  const good = status <= 299;
  const time = new Date().toISOString().slice(11, 19);
  const contents =
    code ??
    counted(payloads.length, "payload") + (duplicates > 0 ? `, ${duplicates} heard before` : "");
  const head = `${out.paint("dim", time)} ${out.paint(good ? "good" : "bad", String(status))} `;
  const lines = payloads.map((payload) => `    ${describePayload(payload)}\n`);
  const passed = forwarded ? `, ${describeForwarded(forwarded)}` : "";
  return `${head}${printable(`${method} ${path}`)}  ${contents}${passed}\n${lines.join("")}`;
}

function describeForwarded({ status, error, elapsedMs }: Forwarded): string {
  const outcome = status === undefined ? printable(error ?? "no answer") : `answered ${status}`;
  return `forwarded: ${outcome} after ${elapsedMs} ms`;
}
