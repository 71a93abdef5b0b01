import { type NamedSecret, parseDelivery, isRiskGateError, verify } from "@riskgate/core";
import type { Command } from "commander";
import { addCommand, type CommandContext, listOf } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { EXIT } from "../terminal/exit-code.js";
import { readInput } from "../input/input.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { requireSecret, SIGNING_SECRET } from "../input/secret-source.js";

interface VerifyOptions {
  readonly signature: string;
  readonly secretFile?: readonly string[];
  readonly json?: true;
}

export function addVerifyCommand(program: Command, { terminal, end }: CommandContext): void {
  addCommand(program, "verify", {
    summary: "check the signature of a body",
    description:
      "Check the signature of the bytes of a file or of standard input, and summarise the delivery. The exit code is 0 for a correct signature and 1 for a wrong one.",
    examples: {
      "riskgate verify body.json --signature 3f1c...": "Check a delivery that was saved to a file",
      "riskgate verify body.json --signature 3f1c... --secret-file new --secret-file old":
        "Accept either of two secrets",
    },
  })
    .argument("[file]", "the body as received; default standard input")
    .requiredOption("--signature <hex>", "value of the X-Service-Integrity header")
    .option(
      "--secret-file <file>",
      "file with a signing secret; repeatable during a rotation (else RISKGATE_SIGNING_SECRET)",
      listOf,
    )
    .option("--json", "print a JSON object")
    .action(async (file: string | undefined, options: VerifyOptions) => {
      const files: readonly (string | undefined)[] = options.secretFile ?? [undefined];
      const secrets = files.map((path): NamedSecret & { readonly id: string } => ({
        id: path ?? SIGNING_SECRET.variable,
        value: requireSecret(SIGNING_SECRET, path, terminal),
      }));
      const body = await readInput(file, terminal);
      const matching = secrets.find(({ value }) => verify(body, options.signature, value));
      const contents = matching ? describe(body) : undefined;
      end(matching ? EXIT.ok : EXIT.no);
      const { out } = terminal;
      if (options.json) {
        await out.write(jsonLine({ valid: !!matching, secret: matching?.id, ...contents }));
      } else if (contents && matching) {
        await out.write(
          `${out.paint("good", "valid")} with ${printable(matching.id)}, ${wordsOf(contents)}\n`,
        );
      } else {
        const form = /^[0-9a-f]{64}$/.test(options.signature)
          ? ""
          : ": it is not 64 lowercase hex digits";
        await out.write(`${out.paint("bad", "not valid")}${form}\n`);
      }
    });
}

interface Contents {
  readonly bytes: number;
  /** Reason why a receiver refuses it although the signature is correct. */
  readonly refused?: string;
  readonly payloads?: number;
  readonly ignored?: number;
}

function describe(body: Buffer): Contents {
  try {
    const { elements, ignored } = parseDelivery(body);
    return { bytes: body.length, payloads: elements.length, ignored: ignored.length };
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    return { bytes: body.length, refused: error.code };
  }
}

function wordsOf({ bytes, refused, payloads = 0, ignored = 0 }: Contents): string {
  const size = counted(bytes, "byte");
  if (refused !== undefined) return `${size}, but a receiver answers ${refused}`;
  return `${size}, ${counted(payloads, "known payload")}, ${counted(ignored, "other")}`;
}
