import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.js";

/** A way to the database server that can break as networks and servers do. */
export interface BreakableLink {
  /** The URL of the database, by this way. */
  readonly url: string;
  /** How many connections are open. */
  open(this: void): number;
  /** Lets nothing through any more, without a word, and accepts connections that nobody answers. */
  freeze(): void;
  /** Lets nothing through one connection any more, counted from 0 in the order they were opened. */
  freezeOne(this: void, index: number): void;
  /** Lets everything through again, also what was sent meanwhile. */
  thaw(): void;
  /** Lets new connections through; those from before stay open, and silent. */
  thawNew(): void;
  /** Ends every connection, and refuses new ones until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a way to a database until the test ends. */
export async function breakableLink(database: string): Promise<BreakableLink> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  const joined: (readonly [Socket, Socket])[] = [];
  let isFrozen = false;
  let open = 0;
  const hold = (socket: Socket): void => {
    frozen.add(socket);
    socket.pause();
  };
  const join = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname);
    open++;
    joined.push([near, far]);
    near.on("close", () => open--);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        // Across a broken network, the server does not notice that its client is gone.
        if (!frozen.has(one)) other.destroy();
      });
      one.on("data", (chunk) => other.write(chunk));
      if (isFrozen) hold(one);
    }
  };
  const listen = async (port: number): Promise<ReturnType<typeof createServer>> => {
    const opened = createServer(join).listen(port, "127.0.0.1");
    await once(opened, "listening");
    return opened;
  };
  const port = await freePort();
  let server = await listen(port);
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = [...sockets].map(
      (socket) => new Promise((resolve) => void socket.destroy().once("close", resolve)),
    );
    await Promise.all([...closed, new Promise((resolve) => server.close(resolve))]);
  };
  onTestFinished(async () => {
    isFrozen = false;
    await cut();
  });
  return {
    url: Object.assign(new URL(database), { host: `127.0.0.1:${port}` }).href,
    open: () => open,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) hold(socket);
    },
    freezeOne: (index) => joined[index]?.forEach(hold),
    thaw() {
      isFrozen = false;
      for (const socket of frozen) socket.resume();
      frozen.clear();
    },
    thawNew() {
      isFrozen = false;
    },
    cut,
    async mend() {
      server = await listen(port);
    },
  };
}
