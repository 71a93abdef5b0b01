import { connect } from "node:http2";

/** An answer over HTTP/2, and the end of its stream. */
export interface Http2Answer {
  readonly status: number;
  readonly body: string;
  /** The server's reset code of the stream; 0 without a reset or an error. */
  readonly rstCode: number;
}

/**
 * Sends a request whose body never ends. The promise settles only when the server closes the stream.
 */
export async function unendedRequest(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Http2Answer> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await new Promise<Http2Answer>((resolve, reject) => {
      const stream = session.request({ ":method": "POST", ...headers });
      let status = 0;
      let text = "";
      stream.on("response", (head) => (status = head[":status"] ?? 0));
      stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      stream.on("close", () => resolve({ status, body: text, rstCode: stream.rstCode ?? 0 }));
      stream.on("error", reject);
      session.on("error", reject);
      stream.write(body);
    });
  } finally {
    session.destroy();
  }
}
