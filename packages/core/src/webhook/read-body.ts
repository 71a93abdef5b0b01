import type { IncomingMessage } from "node:http";
import type { Http2Stream } from "node:http2";
import { startDeadline } from "../base/time-limit.js";
import { RiskGateError } from "../base/errors.js";
import { ArrivingBody, type BodyLimits, type ReadFailure } from "./body-memory.js";
import { lengthOf } from "./endpoint.js";

/**
 * Whether the bytes of a body are out of reach: something has read some of them, reads them now, or
 * has turned the stream into one of text. Every parser shows in this, none needs to be known by name.
 */
export function isBodyTaken(request: IncomingMessage): boolean {
  return isBodyRead(request) || request.readableEnded || request.listenerCount("readable") > 0;
}

/** Whether something has read some of a body, or has turned the stream into one of text. */
export function isBodyRead(request: IncomingMessage): boolean {
  const stream = http2Stream(request);
  return Boolean(
    request.readableDidRead ||
    request.readableEncoding ||
    stream?.readableDidRead ||
    stream?.readableEncoding,
  );
}

/**
 * Reads the body of a request as it came, without decoding anything.
 *
 * @throws {RiskGateError} BODY_TOO_LARGE as soon as the limit is passed, BODY_TIMEOUT when the body
 * takes too long, BODY_INCOMPLETE when the sender goes away, RECEIVER_BUSY when all bodies together
 * take too much, or RAW_BODY_UNAVAILABLE when the stream begins to yield text.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBytes, timeoutMs, memory } = limits;
  return new Promise((resolve, reject) => {
    const onGivenUp = (): void => fail("RECEIVER_BUSY");
    const body = new ArrivingBody(
      memory,
      maxBytes,
      onGivenUp,
      lengthOf(request.headers["content-length"]),
    );
    let isOver = false;
    const fail = (code: ReadFailure): void => {
      // A request closes after its end as well; taking the listeners off each would cost more.
      if (isOver) return;
      isOver = true;
      stop();
      body.take();
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      // What is still on its way is neither kept nor read.
      request.pause();
      reject(new RiskGateError(code, `the body was not received in full: ${code}`));
    };
    const onData = (piece: Buffer | string): void => {
      const failure = typeof piece === "string" ? "RAW_BODY_UNAVAILABLE" : body.add(piece);
      if (failure) fail(failure);
    };
    const onEnd = (): void => {
      isOver = true;
      stop();
      resolve(body.take());
    };
    const onClose = (): void => fail("BODY_INCOMPLETE");
    const stop = startDeadline(timeoutMs, () => fail("BODY_TIMEOUT"));
    if (request.destroyed || http2Stream(request)?.destroyed) return onClose();
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    // A stream that was paused stays so, whoever listens.
    request.resume();
  });
}

/**
 * Lets the rest of a refused body run off, so that the sender gets to read the answer and the
 * connection can serve another request. Past the limit or the time, the connection ends.
 *
 * @returns Headers for the answer.
 */
export function discardBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: BodyLimits,
): Record<string, string> {
  if (request.readableEnded || request.destroyed) return {};
  if (http2Stream(request) || (lengthOf(request.headers["content-length"]) ?? 0) > maxBytes)
    return leaveBody(request);
  let left = maxBytes;
  const stop = startDeadline(timeoutMs, () => request.destroy());
  request
    .on("data", (piece: Buffer | string) => {
      left -= piece.length;
      if (left < 0) request.destroy();
    })
    .once("close", stop)
    .resume();
  return {};
}

/**
 * Leave the rest of a body unread: what is on its way ends with the answer, because it would be taken
 * for the next request.
 *
 * @returns Headers for the answer.
 */
export function leaveBody(request: IncomingMessage): Record<string, string> {
  const stream = http2Stream(request);
  if (!stream) return { connection: "close" };
  // The other streams of the connection go on. Source: RFC 9113, section 8.1.
  stream.once("finish", () => stream.close());
  return {};
}

/** Stream behind a request of Node's HTTP/2 server. */
function http2Stream(request: IncomingMessage): Http2Stream | undefined {
  return (request as { readonly stream?: Http2Stream }).stream;
}
