import { connect, type Socket } from "node:net";
import { type RawAnswer, readAnswer } from "./raw-answer.js";

/** A TCP connection that HTTP is written to by hand: whatever bytes, in whatever pieces. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves when the connection is gone, whichever side ended it. */
  readonly closed: Promise<void>;
  write(bytes: string | Uint8Array): void;
  /**
   * The next answer. Rejects when the connection closes before there is one.
   *
   * @param method Of the request, which decides whether the answer has a body.
   */
  answer(method?: string): Promise<RawAnswer>;
  /** Bytes that arrived after the answers that were taken. */
  rest(): string;
  destroy(): void;
}

/** Connect to a port of this machine. */
export function openRawConnection(port: number, host = "127.0.0.1"): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(wrap(socket));
    });
  });
}

function wrap(socket: Socket): RawConnection {
  let buffer = Buffer.alloc(0);
  let ended = false;
  let wake = (): void => {};
  // A reset also closes; the cases distinguish the two by the bytes that arrived before.
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    wake();
  });
  socket.on("end", () => {
    ended = true;
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      ended = true;
      wake();
      resolve();
    });
  });

  return {
    socket,
    closed,
    write: (bytes) => void (socket.destroyed || socket.write(bytes)),
    async answer(method = "POST") {
      for (;;) {
        const found = readAnswer(buffer, method, ended);
        if (found) {
          buffer = buffer.subarray(found.length);
          // 100 Continue announces an answer and is not one.
          if (found.answer.status >= 200) return found.answer;
        } else if (ended) {
          throw new Error(`the connection closed after ${buffer.length} bytes of answer`);
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
    rest: () => buffer.toString("latin1"),
    destroy: () => void socket.destroy(),
  };
}
