import type { SecretValue } from "@riskgate/core";

/** Converts received bytes to text that can be stored, at most `maxBytes` long in UTF-8. */
export type Redaction = (received: Buffer, maxBytes: number) => string;

const REMOVED = "[removed]";

/**
 * Creates the function that redacts responses. Some endpoints echo the request, but secrets,
 * signatures and payloads must not be logged. Control characters are replaced as well, because people
 * read the log in terminals.
 */
export function createRedaction(secrets: readonly SecretValue[], body: Uint8Array): Redaction {
  return (received, maxBytes) => {
    const texts = secrets.map(textOf);
    // A longer body cannot appear in full.
    if (body.byteLength <= maxBytes) {
      const sent = textOf(body);
      texts.push(sent, JSON.stringify(sent).slice(1, -1));
    }
    let text = received.subarray(0, maxBytes).toString("utf8");
    for (const removed of texts) text = text.replaceAll(removed, REMOVED);
    return cut(text.replace(/[^\P{Cc}\t\n\r]/gu, "\ufffd"), maxBytes);
  };
}

function textOf(value: SecretValue): string {
  return typeof value === "string" ? value : Buffer.from(value).toString("utf8");
}

/** Truncates a text between two characters: decoding lengthens bytes that are not UTF-8. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let end = maxBytes;
  const bytes = Buffer.from(text);
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
