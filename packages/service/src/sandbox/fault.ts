import type { FastifyReply } from "fastify";
import { errorBody, RATE_LIMITED, UNAUTHORIZED } from "../http/error-body.js";
import type { SandboxFault } from "./magic.js";

/** One byte of a slow body each, in milliseconds. */
const DRIP_MS = 50;

/** How long a slow answer is held open; longer than any sensible client waits. */
const HOLD_MS = 30_000;

/** Nobody's address: RFC 2606 keeps the name from ever being one. */
const ELSEWHERE = "https://redirected.invalid/";

type Act = (reply: FastifyReply, text: string) => void;

const ACTS: Readonly<Record<SandboxFault, Act>> = {
  unauthorized: (reply) => void reply.code(401).send(UNAUTHORIZED),
  rate_limited: (reply) => void reply.code(429).header("retry-after", "1").send(RATE_LIMITED),
  server_error: (reply) => void reply.code(503).send(errorBody(503, "Out of order")),
  redirect: (reply) => void reply.code(302).header("location", ELSEWHERE).send(),
  // As bytes: text with this type would be written as a string of JSON, which is not broken.
  broken_json: (reply, text) =>
    void reply.type("application/json").send(Buffer.from(text).subarray(0, -5)),
  slow_headers: (reply) => hold(reply.hijack()),
  slow_body: (reply, text) => drip(reply.hijack(), text),
  reset: (reply) => void reply.hijack().raw.socket?.resetAndDestroy(),
};

/**
 * Do what a fault says, instead of answering.
 *
 * @param text JSON text of the answer that there would have been.
 * @returns The reply, for the handler to return.
 */
export function applyFault(reply: FastifyReply, fault: SandboxFault, text: string): FastifyReply {
  ACTS[fault](reply, text);
  return reply;
}

/** Keep the connection for a while, and end it without a further word. */
function hold({ raw }: FastifyReply): void {
  const timer = setTimeout(() => raw.destroy(), HOLD_MS);
  raw.once("close", () => clearTimeout(timer));
}

function drip(reply: FastifyReply, text: string): void {
  const { raw } = reply;
  // Without a length: one that is large enough is a fault of its own.
  raw.writeHead(200, { "content-type": "application/json" });
  let at = 0;
  const timer = setInterval(() => raw.write(text.charAt(at++) || " "), DRIP_MS);
  raw.once("close", () => clearInterval(timer));
  hold(reply);
}
