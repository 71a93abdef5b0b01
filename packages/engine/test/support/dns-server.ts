import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode, type Answer } from "dns-packet";
import { onTestFinished } from "vitest";

/** What the server says of a name: its records, a code of RFC 1035, or nothing at all. */
export type Zone = Readonly<
  Record<string, readonly Answer[] | "NXDOMAIN" | "SERVFAIL" | "silence">
>;

/** A DNS server on loopback. */
export interface DnsServer {
  /** For the option `servers`. */
  readonly servers: readonly string[];
  /** Type and name of each question, in the order in which they came. */
  readonly asked: string[];
  /** Questions that wait for an answer, at most so far. */
  mostWaiting: number;
  /** Answer what has waited, and from now on at once. */
  release(): void;
}

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2 } as const;

/** Serve a zone; names that are not in it do not exist. `held` keeps every answer until the release. */
export async function serveDns(zone: Zone, { held = false } = {}): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const waiting: (() => void)[] = [];
  let isHeld = held;
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const { name, type } = questions.at(0)!;
    server.asked.push(`${type} ${name}`);
    const found = zone[name.toLowerCase()] ?? "NXDOMAIN";
    if (found === "silence") return;
    const answers = typeof found === "string" ? [] : found.filter((one) => one.type === type);
    const code = typeof found === "string" ? RCODES[found] : 0;
    const text = encode({
      type: "response",
      ...(id !== undefined && { id }),
      flags: 0x8180 | code,
      questions,
      answers,
    });
    const send = (): void => socket.send(text, port, address);
    if (!isHeld) send();
    else server.mostWaiting = Math.max(server.mostWaiting, waiting.push(send));
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const server: DnsServer = {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked: [],
    mostWaiting: 0,
    release() {
      isHeld = false;
      for (const send of waiting.splice(0)) send();
    },
  };
  return server;
}

/** An MX record. */
export function mx(name: string, exchange: string): Answer {
  return { type: "MX", name, ttl: 60, data: { preference: exchange === "." ? 0 : 10, exchange } };
}
