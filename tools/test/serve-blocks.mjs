// The body of a process that refuses what its block list blocks.
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Prints its port once it knows the blocks in force.
 *
 * @param {typeof import("../../packages/core/src/index.js")} core
 * @param {any} store
 */
export async function serveBlocks({ createBlockList, createGate }, store) {
  const list = createBlockList({ store, onError() {} });
  const fine = async () => ({ risk_score: 0 });
  const gate = createGate({ lookup: { lookupIp: fine, lookupEmail: fine }, blockList: list });
  const answer = async (/** @type {string} */ url) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const subject = searchParams.get("subject") ?? "";
    if (pathname === "/block") list.block(subject);
    else if (pathname === "/unblock") list.unblock(subject);
    else {
      const { outcome } = await gate.decide(
        subject.includes("@") ? { email: subject } : { ip: subject },
      );
      return outcome === "reject" ? 403 : 200;
    }
    await list.saved();
    return 204;
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "").then(
      (status) => response.writeHead(status, { connection: "close" }).end(),
      () => response.writeHead(500, { connection: "close" }).end(),
    );
  });
  await list.ready();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`port ${address.port}\n`);
}
