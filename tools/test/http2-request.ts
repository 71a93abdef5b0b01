import { connect } from "node:http2";

/** An answer over HTTP/2, and how its stream ended. */
export interface Http2Answer {
  readonly status: number;
  readonly body: string;
  /** Code that the server reset the stream with; 0 for none, or for no error. */
  readonly rstCode: number;
}

/**
 * Send a request whose body is never ended: the promise settles only when the server closes the
 * stream.
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
