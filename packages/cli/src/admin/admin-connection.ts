import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { RiskGateError } from "@riskgate/core";
import { createSystemResolve, guardedLookup, normalizeIp } from "@riskgate/core/address";
import { socketIn } from "../options/http-url.js";

const isLoopback = (ip: string): boolean => ip === "::1" || ip.startsWith("127.");

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Checks that a token may be sent to a URL: over HTTPS, or to this machine by TCP or a socket. Each connection checks
 * again whether `localhost` is this machine.
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function checkAdminUrl(url: URL): void {
  const { protocol, hostname, host } = url;
  if (protocol === "https:" || socketIn(url) !== undefined || LOOPBACK_HOST.test(hostname)) return;
  const message = `the administration token is not sent over plain HTTP to ${host}`;
  throw new RiskGateError("CONFIG_INVALID", message, {
    hint: "Use an https:// URL, or run the command on the machine of the service, with http://127.0.0.1",
  });
}

/** A single connection: the proof is valid until it closes. */
export interface AdminConnection {
  readonly agent: HttpAgent;
  /** Returns true if the proof matches the nonce and the remote end of this connection. */
  isProof(key: string, nonce: string, proof: unknown): boolean;
  close(): void;
}

/** Creates a connection to an administration API, opened by the first request. */
export function openAdminConnection(url: URL): AdminConnection {
  const agent = agentFor(url);
  const connect = agent.createConnection.bind(agent);
  let socket: Socket | undefined;
  agent.createConnection = (options, callback) => {
    if (socket) {
      // Not thrown: the agent may ask when the first connection closes, and nothing would catch it.
      const gone = Object.assign(new Error("closed by the service"), { code: "ECONNRESET" });
      process.nextTick(() => callback?.(gone, undefined as never));
      return undefined;
    }
    socket = connect(options, callback) as Socket;
    return socket;
  };
  return {
    agent,
    isProof(key, nonce, proof) {
      const ip = normalizeIp(socket?.remoteAddress);
      const place = ip === undefined ? "unix socket" : `${ip} ${socket?.remotePort}`;
      const expected = createHmac("sha256", key).update(`${nonce} ${place}`).digest();
      const given = Buffer.from(typeof proof === "string" ? proof : "", "hex");
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    close: () => agent.destroy(),
  };
}

function agentFor(url: URL): HttpAgent {
  const shared = { keepAlive: true, maxSockets: 1 };
  const socketPath = socketIn(url);
  if (socketPath !== undefined) return new HttpAgent({ ...shared, socketPath } as AgentOptions);
  // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
  if (url.protocol === "https:") return new HttpsAgent({ ...shared, rejectUnauthorized: true });
  return new HttpAgent({ ...shared, lookup: guardedLookup(createSystemResolve(), isLoopback) });
}

export function createNonce(): string {
  return randomBytes(32).toString("hex");
}
