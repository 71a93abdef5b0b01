import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance } from "fastify";
import { isLoopbackHost } from "./host-guard.js";
import { listenOnSocket, socketUrl } from "./unix-socket.js";

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
  /** Port for administration, console and metrics; default 8081, or a free one if `port` is 0. */
  readonly adminPort?: number | undefined;
  /**
   * Default 127.0.0.1. On an address that other machines can reach, the metrics require a token too.
   */
  readonly adminHost?: string | undefined;
  /**
   * Path of a Unix socket for them instead of `adminPort` and `adminHost`. Only this account can
   * connect to it.
   */
  readonly adminSocket?: string | undefined;
}

const ADMIN_PORT = 8081;

/** Where administration listens. */
export type AdminPlace =
  { readonly port: number; readonly host: string } | { readonly socket: string };

/** @throws {RiskGateError} CONFIG_INVALID for a socket and a port. */
export function adminPlaceOf(address: ListenAddress): AdminPlace {
  const { port, adminPort, adminHost, adminSocket } = address;
  if (adminSocket === undefined) {
    return { port: adminPort ?? (port && ADMIN_PORT), host: adminHost ?? "127.0.0.1" };
  }
  if (adminSocket !== "" && adminPort === undefined && adminHost === undefined) {
    return { socket: resolve(adminSocket) };
  }
  throw new RiskGateError("CONFIG_INVALID", "`adminSocket`: expected a path, and no other place", {
    hint: "Give either `adminSocket`, or `adminPort` and `adminHost`",
  });
}

/** Returns true if only this machine can connect. */
export function isLocalPlace(place: AdminPlace): boolean {
  return "socket" in place || isLoopbackHost(place.host);
}

/**
 * Listens for administration.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the place is not available.
 */
export async function listenForAdmin(
  server: FastifyInstance,
  place: AdminPlace,
): Promise<{ readonly adminUrl: string; readonly remove: () => void }> {
  if ("socket" in place) {
    const remove = await listenOnSocket((path) => server.listen({ path }), place.socket);
    return { adminUrl: socketUrl(place.socket), remove };
  }
  const url = await listenOn(server, place, "adminPort");
  return { adminUrl: reachedLocally(url), remove: () => {} };
}

/** @throws {RiskGateError} CONFIG_INVALID if the port or address is not available. */
export async function listenOn(
  server: FastifyInstance,
  address: { readonly port: number; readonly host: string },
  option: "port" | "adminPort",
): Promise<string> {
  const { port, host } = address;
  await server.listen({ port, host }).catch((cause: NodeJS.ErrnoException) => {
    throw cannotListen(address, option, cause);
  });
  const [taken] = server.addresses() as AddressInfo[];
  const name = taken!.family === "IPv6" ? `[${taken!.address}]` : taken!.address;
  return `http://${name}:${taken!.port}`;
}

/** Returns the addresses on which servers listen, without Unix sockets. */
export function addressesOf(servers: readonly FastifyInstance[]): readonly AddressInfo[] {
  // Fastify's type leaves out the path of a socket.
  const addresses: readonly (AddressInfo | string)[] = servers.flatMap((one) => one.addresses());
  return addresses.filter((one) => typeof one !== "string");
}

function reachedLocally(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function cannotListen(
  { port, host }: { readonly port: number; readonly host: string },
  option: "port" | "adminPort",
  cause: NodeJS.ErrnoException,
): RiskGateError {
  const reason = cause.code ?? cause.message;
  const message = `cannot listen on ${host}, port ${port}: ${reason}`;
  const hint = PORT_PROBLEMS.has(reason)
    ? `Choose another \`${option}\`, or 0 for a free one`
    : "Choose one of this machine's addresses, such as 127.0.0.1, or 0.0.0.0 for all of them";
  return new RiskGateError("CONFIG_INVALID", message, { cause, hint });
}

const PORT_PROBLEMS: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);
