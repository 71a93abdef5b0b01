import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What came back over one connection. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection on which a test writes bytes as it likes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Wait for the next answer, or for its head alone; rejects when the connection ends before it. */
  answer(until?: "head"): Promise<RawAnswer>;
  /** Resolves once the connection is closed. */
  readonly closed: Promise<void>;
}

/** Open a connection to a port of this machine; it ends with the test. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let wake = (): void => {};
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    wake();
  });
  // A server that hangs up on a client that still writes is part of the cases.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      resolve();
      wake();
    });
  });
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  const take = (isHead: boolean): RawAnswer | undefined => {
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [line = "", ...lines] = received.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((text) => {
        const colon = text.indexOf(":");
        return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
      }),
    );
    const length = isHead ? 0 : Number(headers["content-length"] ?? 0);
    const body = received.slice(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    received = received.slice(end + 4 + length);
    return { status: Number(line.split(" ")[1]), headers, body };
  };
  return {
    socket,
    closed,
    async answer(part) {
      for (;;) {
        const answer = take(part === "head");
        if (answer) return answer;
        if (socket.destroyed) throw new Error("the connection ended without an answer");
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** Text of a request with these headers and this body. */
export function post(
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /hook HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body as string)]);
}
