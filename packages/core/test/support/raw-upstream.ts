import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";

/** One request as it came over the wire. */
interface RawRequest {
  readonly line: string;
  readonly path: string;
  /** Header lines, names in lower case; a header sent twice is there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Counts from 0 over all connections. */
  readonly index: number;
}

/** Answers one request by writing to the socket, or does something worse. */
export type Behaviour = (socket: Socket, request: RawRequest) => void;

/** A server that does exactly what its script says, below HTTP libraries. */
export interface RawUpstream {
  readonly url: string;
  readonly port: number;
  readonly requests: RawRequest[];
  readonly sockets: Set<Socket>;
  /** Connections made since the start. */
  connections: number;
  /** TLS handshakes begun, finished or not. */
  handshakes: number;
  behave: Behaviour;
}

/** Start a scripted upstream on this machine; it ends with the test. */
export async function startUpstream(
  behave: Behaviour,
  tls?: { key: string; cert: string },
): Promise<RawUpstream> {
  const onSocket = (socket: Socket): void => {
    upstream.connections++;
    upstream.sockets.add(socket);
    socket.on("close", () => upstream.sockets.delete(socket));
    // Clients that hang up are part of the cases.
    socket.on("error", () => {});
    let pending = "";
    socket.on("data", (chunk: Buffer) => {
      pending += chunk.toString("latin1");
      for (let end = pending.indexOf(END); end >= 0; end = pending.indexOf(END)) {
        const request = parse(pending.slice(0, end), upstream.requests.length);
        pending = pending.slice(end + END.length);
        upstream.requests.push(request);
        upstream.behave(socket, request);
      }
    });
  };
  const server: Server = tls ? createTlsServer(tls, onSocket) : createTcpServer(onSocket);
  server.on("tlsClientError", () => {});
  if (tls) server.on("connection", () => upstream.handshakes++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
  const upstream: RawUpstream = {
    url,
    port,
    requests: [],
    sockets: new Set(),
    connections: 0,
    handshakes: 0,
    behave,
  };
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of upstream.sockets) socket.destroy();
    await closed;
  });
  return upstream;
}

const END = "\r\n\r\n";

function parse(head: string, index: number): RawRequest {
  const [line = "", ...rest] = head.split("\r\n");
  const headers = rest.map((text) => {
    const colon = text.indexOf(":");
    return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()] as const;
  });
  return { line, path: line.split(" ")[1] ?? "", headers, index };
}

/** The bytes of an answer. */
export function response(
  status: number,
  body: string | Buffer = "",
  headers: Record<string, string> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { "content-length": String(bytes.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head.join("")}\r\n`), bytes]);
}

/** The bytes of an answer with a JSON body. */
export function jsonResponse(value: unknown, status = 200): Buffer {
  return response(status, JSON.stringify(value), { "content-type": "application/json" });
}

/** Answer every request with these bytes. */
export function answering(bytes: Buffer): Behaviour {
  return (socket) => socket.write(bytes);
}

/** Answer the first request with the first, and so on; the last answers all that follow. */
export function inTurn(...behaviours: Behaviour[]): Behaviour {
  let turn = 0;
  return (socket, request) => {
    const behave = behaviours[Math.min(turn++, behaviours.length - 1)];
    behave?.(socket, request);
  };
}

/** Accept the request and never answer. */
export const silent: Behaviour = () => {};

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
