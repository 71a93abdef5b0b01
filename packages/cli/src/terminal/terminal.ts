import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";

/** Colours that the command uses, by their meaning. */
const COLOURS = { good: "green", warn: "yellow", bad: "red", strong: "bold", dim: "dim" } as const;

export type Tone = keyof typeof COLOURS;

export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 without one. */
  readonly columns: number;
  write(text: string): Promise<void>;
  /** Colours text, if this output supports colours. */
  paint(tone: Tone, text: string): string;
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly out: Output;
  readonly err: Output;
  /**
   * Resolves at the first SIGINT or SIGTERM. From then on a second one ends the process at once.
   */
  stopped(): Promise<void>;
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface ProcessLike extends Pick<NodeJS.Process, "once" | "env"> {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  exit(code: number): never;
}

/** Signals that end a command, with the exit codes that shells expect. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export function createTerminal(process: ProcessLike): Terminal {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    stdin,
    out: createOutput(stdout, env),
    err: createOutput(stderr, env),
    stopped() {
      return new Promise((resolve) => {
        for (const [signal, code] of Object.entries(SIGNALS)) {
          process.once(signal, () => {
            resolve();
            process.once(signal, () => process.exit(code));
          });
        }
      });
    },
  };
}

function createOutput(stream: Stream, env: Terminal["env"]): Output {
  const isTerminal = stream.isTTY === true;
  const isColoured = isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    isTerminal,
    columns: stream.columns ?? 80,
    write(text) {
      return new Promise((resolve) => {
        if (stream.write(text)) resolve();
        else stream.once("drain", resolve);
      });
    },
    paint: (tone, text) =>
      isColoured ? styleText(COLOURS[tone], text, { validateStream: false }) : text,
  };
}
