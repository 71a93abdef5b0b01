import { connect, type Socket } from "node:net";
import { type RawAnswer, readAnswer } from "./raw-answer.js";

/** A TCP connection for handwritten HTTP: any bytes, in any chunks. */
export interface RawConnection {
  readonly socket: Socket;
  /** Resolves when the connection has closed, from either side. */
  readonly closed: Promise<void>;
  write(bytes: string | Uint8Array): void;
  /**
   * Returns the next response. Rejects if the connection closes before it.
   * @param method Method of the request, which determines whether the response has a body.
   */
  answer(method?: string): Promise<RawAnswer>;
  /** Returns the bytes after the responses that were read. */
  rest(): string;
  destroy(): void;
}

/** Connects to a port on this machine. */
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
  // A reset also closes; checks distinguish the two by the bytes that arrived before.
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
          // 100 Continue precedes the response.
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
