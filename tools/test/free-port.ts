import { createServer, type AddressInfo } from "node:net";

/** A port of this machine that is free at the moment, for programs that cannot be told 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
