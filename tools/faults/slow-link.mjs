import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A link to a local server that delays everything by `delayMs`. */
export class SlowLink {
  delayMs = 0;
  #server;

  /** @param {number} target Port of the server. */
  constructor(target) {
    this.#server = createServer((near) => {
      const far = connect(target, "127.0.0.1");
      this.#pass(near, far);
      this.#pass(far, near);
    });
  }

  /** @param {number} target */
  static async open(target) {
    const link = new SlowLink(target);
    link.#server.listen(0, "127.0.0.1");
    await once(link.#server, "listening");
    return link;
  }

  get port() {
    return /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
  }

  close() {
    this.#server.close();
  }

  /** @param {import("node:net").Socket} from @param {import("node:net").Socket} to */
  #pass(from, to) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.on("data", (chunk) => {
      if (this.delayMs === 0) to.write(chunk);
      else setTimeout(() => void (to.destroyed || to.write(chunk)), this.delayMs);
    });
  }
}
