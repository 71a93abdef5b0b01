import type { Probe, ProbeAnswer } from "./probe.js";

const SHOWN = 120;

/** Describes a request: the words of the probe, and the start of its body. */
export function wordsOfProbe({ sent, method, path, body }: Probe): string {
  if (path !== undefined) return `${sent} (${method} ${path.slice(0, SHOWN)})`;
  const text = body === undefined ? "no body" : `${body.length} bytes: ${startOf(textOf(body))}`;
  return `${sent} (${method}, ${text})`;
}

/** Describes a response, without digests, because one may be that of the body. */
export function wordsOfAnswer({ status, text, elapsedMs, trouble }: ProbeAnswer): string {
  if (trouble === "timeout") return `no answer within ${elapsedMs} ms`;
  if (trouble === "closed") return "a closed connection without an answer";
  const shown = text.replaceAll(/[0-9a-fA-F]{64}/g, "(a digest)");
  return `status ${status}${shown === "" ? "" : `: ${startOf(shown)}`}`;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 2 * SHOWN)).toString();
}

function startOf(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
