import type { IncomingMessage } from "node:http";
import { Chunks } from "../base/chunks.js";
import { startDeadline } from "../base/deadline.js";
import { RiskGateError } from "../base/errors.js";

/**
 * Read the body of a request as it came, without decoding anything.
 *
 * @throws {RiskGateError} BODY_TOO_LARGE as soon as the limit is passed, BODY_TIMEOUT when the body
 * takes too long, or BODY_INCOMPLETE when the sender goes away.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new Chunks();
    let isWhole = false;
    const fail = (code: "BODY_TOO_LARGE" | "BODY_TIMEOUT" | "BODY_INCOMPLETE"): void => {
      // A request closes after its end as well; taking the listeners off each would cost more.
      if (isWhole) return;
      stop();
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      // What is still on its way is neither kept nor read.
      request.pause();
      reject(new RiskGateError(code, `the body was not received in full: ${code}`));
    };
    const onData = (chunk: Buffer): void => {
      body.add(chunk);
      if (body.size > maxBytes) fail("BODY_TOO_LARGE");
    };
    const onEnd = (): void => {
      isWhole = true;
      stop();
      resolve(body.take());
    };
    const onClose = (): void => fail("BODY_INCOMPLETE");
    const stop = startDeadline(timeoutMs, () => fail("BODY_TIMEOUT"));
    if (request.destroyed) onClose();
    else request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

/**
 * Let the rest of a refused body run off, so that the sender gets to read the answer and the
 * connection can serve another request. Past the limit or the time, the connection ends.
 */
export function discardBody(request: IncomingMessage, maxBytes: number, timeoutMs: number): void {
  if (request.readableEnded || request.destroyed) return;
  let left = maxBytes;
  const stop = startDeadline(timeoutMs, () => request.destroy());
  request
    .on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    })
    .once("close", stop);
}
