import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** No system assigns these ports automatically. */
const FIRST = 20_000;
const END = 32_000;

/**
 * Returns a port that is free at the moment, for programs that do not accept 0 and for servers that
 * close and open again.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  await new Promise((resolve) => void server.close(resolve));
  return true;
}
