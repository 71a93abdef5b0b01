import type { SecretValue } from "@riskgate/core";

/** Turns what a receiver sent into text that can be kept, of at most `maxBytes` in UTF-8. */
export type Redaction = (received: Buffer, maxBytes: number) => string;

const REMOVED = "[removed]";

/**
 * Make the function that cleans what a receiver sent: some echo the request, and neither secret nor
 * signature nor the delivered payloads belong in a log. Control characters go as well, because
 * the log is read on terminals.
 */
export function createRedaction(secrets: readonly SecretValue[], body: Uint8Array): Redaction {
  return (received, maxBytes) => {
    const texts = secrets.map(textOf);
    // A longer body cannot stand whole in what is kept.
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

/** Bytes that are no UTF-8 become longer by decoding. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let end = maxBytes;
  const bytes = Buffer.from(text);
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
