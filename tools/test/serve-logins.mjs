// The body of a process with a login route in attack mode.
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Prints its port once it listens. The right password of every account is `right`.
 *
 * @param {typeof import("../../packages/core/src/index.js")} core
 * @param {typeof import("../../packages/core/src/adapter.js")} adapter
 * @param {any} store
 */
export async function serveLogins(core, adapter, store) {
  const device = core.createDevices({ secrets: "device-secret-of-at-least-32-bytes" });
  // On a busy machine, no response of the store is late.
  const attackMode = core.createAttackMode({ store, timeoutMs: 20_000 });
  const fine = async () => ({ risk_score: 0 });
  const gate = adapter.createRequestGate({
    lookup: { lookupIp: fine, lookupEmail: fine },
    budgetMs: 60_000,
    trustedProxies: ["127.0.0.0/8"],
    device,
    attackMode,
    challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
    verifyChallenge: () => false,
  });
  const watch = adapter.createLoginWatch({ device, attackMode, trustedProxies: ["127.0.0.0/8"] });
  /** @type {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => Promise<void>} */
  const answer = async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const gated = {
      args: /** @type {[typeof request, typeof response]} */ ([request, response]),
      request,
      response,
      ip: request.socket.remoteAddress,
      body,
      unsafeTrust: () => undefined,
      attach() {},
      addHeader: (/** @type {string} */ name, /** @type {string} */ value) =>
        void response.appendHeader(name, value),
      sendReply: (/** @type {import("../../packages/core/src/adapter.js").Reply} */ reply) =>
        void response.writeHead(reply.status, reply.headers).end(reply.body),
      isAnswered: () => response.headersSent,
    };
    if (!(await gate.guard(gated))) return;
    watch.begin(gated);
    const isRight = body.password === "right";
    if (isRight) await device.remember(response, body.email);
    response.writeHead(isRight ? 204 : 401).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`port ${address.port}\n`);
}
