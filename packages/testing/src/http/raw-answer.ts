/** An HTTP response as received. */
export interface RawAnswer {
  readonly status: number;
  /** Header lines in order, names in lower case. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  header(name: string): string | undefined;
  /** Body as UTF-8 text, without chunk sizes. */
  readonly body: string;
}

/** A response with its length in bytes. */
export interface FoundAnswer {
  readonly answer: RawAnswer;
  readonly length: number;
}

/**
 * Reads one response from the start of a buffer.
 * @param ended True if nothing more can arrive.
 * @returns Undefined while the response is incomplete.
 */
export function readAnswer(
  buffer: Buffer,
  method: string,
  ended: boolean,
): FoundAnswer | undefined {
  const headEnd = buffer.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...rows] = buffer.subarray(0, headEnd).toString("latin1").split("\r\n");
  const lines = rows.map((row): readonly [string, string] => {
    const colon = row.indexOf(":");
    return [row.slice(0, colon).toLowerCase(), row.slice(colon + 1).trim()];
  });
  const header = (name: string): string | undefined => lines.find(([key]) => key === name)?.[1];
  const status = Number(statusLine.split(" ")[1]);
  const start = headEnd + 4;
  const rest = buffer.subarray(start);
  const body =
    method === "HEAD" || status < 200 || status === 204 || status === 304
      ? { bytes: Buffer.alloc(0), length: 0 }
      : readBody(rest, header, ended);
  return (
    body && {
      answer: { status, lines, header, body: body.bytes.toString("utf8") },
      length: start + body.length,
    }
  );
}

function readBody(
  rest: Buffer,
  header: (name: string) => string | undefined,
  ended: boolean,
): { bytes: Buffer; length: number } | undefined {
  if (header("transfer-encoding") === "chunked") return readChunks(rest);
  const declared = header("content-length");
  if (declared === undefined) return ended ? { bytes: rest, length: rest.length } : undefined;
  const length = Number(declared);
  return rest.length < length ? undefined : { bytes: rest.subarray(0, length), length };
}

function readChunks(rest: Buffer): { bytes: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (rest.length < next) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: next };
    chunks.push(rest.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}
