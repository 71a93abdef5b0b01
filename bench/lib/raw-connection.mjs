import { connect } from "node:net";

/**
 * A minimal HTTP/1.1 client over one connection, one exchange at a time. Bodies have a length or are
 * chunked; a head must arrive in one piece.
 */
export class RawConnection {
  /** @type {import("node:net").Socket} */
  #socket;
  #text = "";
  /** @type {((answer: { status: number, body: string }) => void) | undefined} */
  #resolve;
  /** @type {((error: Error) => void) | undefined} */
  #reject;

  /** @param {import("node:net").Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#reject?.(error));
    socket.on("close", () => this.#reject?.(new Error("the server closed the connection")));
  }

  /** @param {number} port @returns {Promise<RawConnection>} */
  static open(port) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new RawConnection(socket)));
      socket.once("error", reject);
    });
  }

  /**
   * @param {Uint8Array | string} request
   * @returns {Promise<{ status: number, body: string }>}
   */
  exchange(request) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close() {
    this.#reject = undefined;
    this.#socket.destroy();
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.#text += chunk.toString("latin1");
    const text = this.#text;
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const body = head + 4;
    const status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(text);
    const isChunked = !length && /\r\ntransfer-encoding: chunked/i.test(text.slice(0, body));
    const end = body + (length ? Number(length[1]) : 0);
    if (isChunked ? !text.endsWith("0\r\n\r\n") : text.length < end) return;
    this.#text = "";
    this.#resolve?.({ status, body: text.slice(body) });
  }
}
