import type { IncomingMessage } from "node:http";
import type { Http2Stream } from "node:http2";
import { startDeadline } from "../base/time-limit.js";
import { RiskGateError } from "../base/errors.js";
import { ArrivingBody, type BodyLimits, type ReadFailure } from "./body-memory.js";
import { lengthOf } from "./endpoint.js";

/**
 * Returns true if the bytes of a body are no longer available: other code has read some of them, is
 * reading them, or has set an encoding on the stream. This detects every parser without knowing its
 * name.
 */
export function isBodyTaken(request: IncomingMessage): boolean {
  return isBodyRead(request) || request.readableEnded || request.listenerCount("readable") > 0;
}

/** Returns true if other code has read from a body, or has set an encoding on the stream. */
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
 * Reads the body of a request without decoding it.
 * @throws {RiskGateError} BODY_TOO_LARGE once the limit is exceeded, BODY_TIMEOUT if the body takes
 * too long, BODY_INCOMPLETE if the sender disconnects, RECEIVER_BUSY if all bodies together are too
 * large, or RAW_BODY_UNAVAILABLE if the stream yields text.
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
      // A request also closes after its end; removing the listeners of each would cost more.
      if (isOver) return;
      isOver = true;
      stop();
      body.take();
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      // Bytes still arriving are neither stored nor read.
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
    // A paused stream stays paused even with listeners.
    request.resume();
  });
}

/**
 * Drains the remainder of a refused body, so that the sender can read the response and reuse the
 * connection. Past the limit or the time, the connection ends.
 * @returns Response headers.
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
 * Leaves the remainder of a body unread. The connection ends with the response, because the
 * remaining bytes would be parsed as the next request.
 * @returns Response headers.
 */
export function leaveBody(request: IncomingMessage): Record<string, string> {
  const stream = http2Stream(request);
  if (!stream) return { connection: "close" };
  // Other streams of the connection continue. Source: RFC 9113, section 8.1.
  stream.once("finish", () => stream.close());
  return {};
}

function http2Stream(request: IncomingMessage): Http2Stream | undefined {
  return (request as { readonly stream?: Http2Stream }).stream;
}
