import { sign } from "@riskgate/core";
import type { Command } from "commander";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { readInput } from "../input/input.js";
import { jsonLine } from "../terminal/printable.js";
import { requireSecret, SIGNING_SECRET } from "../input/secret-source.js";

interface SignOptions {
  readonly secretFile?: string;
  readonly json?: true;
}

export function addSignCommand(program: Command, { terminal }: CommandContext): void {
  addCommand(program, "sign", {
    summary: "sign a body",
    description:
      "Sign the bytes of a file or of standard input as the service does, and print the value of the X-Service-Integrity header: 64 lowercase hex digits.",
    examples: {
      "riskgate sign body.json": "Sign a file with the secret in RISKGATE_SIGNING_SECRET",
      "printf '[]' | riskgate sign --secret-file secret.txt": "Sign the output of a program",
    },
  })
    .argument("[file]", "the body; default standard input")
    .option("--secret-file <file>", "file with the signing secret (else RISKGATE_SIGNING_SECRET)")
    .option("--json", "print a JSON object with signature and bytes")
    .action(async (file: string | undefined, { secretFile, json }: SignOptions) => {
      const secret = requireSecret(SIGNING_SECRET, secretFile, terminal);
      const body = await readInput(file, terminal);
      const signature = sign(body, secret);
      await terminal.out.write(
        json ? jsonLine({ signature, bytes: body.length }) : `${signature}\n`,
      );
    });
}
