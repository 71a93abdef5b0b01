import {
  ArrivingBody,
  type BodyLimits,
  lengthOf,
  type ReadFailure,
  RiskGateError,
  startDeadline,
} from "@riskgate/core/web";

/**
 * Reads the raw body of a request.
 * @throws {RiskGateError} BODY_TOO_LARGE once the limit is exceeded, BODY_TIMEOUT if the body takes
 * too long, BODY_INCOMPLETE if the sender disconnects, RECEIVER_BUSY if all bodies together are too
 * large, or RAW_BODY_UNAVAILABLE if the stream yields values other than bytes.
 */
export function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (!request.body) return Promise.resolve(new Uint8Array(0));
  const { maxBytes, timeoutMs, memory } = limits;
  const reader: ReadableStreamDefaultReader<unknown> = request.body.getReader();
  return new Promise((resolve, reject) => {
    const onGivenUp = (): void => fail("RECEIVER_BUSY");
    const expected = lengthOf(request.headers.get("content-length"));
    const body = new ArrivingBody(memory, maxBytes, onGivenUp, expected);
    let isOver = false;
    const fail = (code: ReadFailure): void => {
      if (isOver) return;
      isOver = true;
      stop();
      body.take();
      reject(new RiskGateError(code, `the body was not received in full: ${code}`));
      // Data still arriving is discarded, and the outcome of cancelling is ignored.
      reader.cancel().catch(() => {});
    };
    const stop = startDeadline(timeoutMs, () => fail("BODY_TIMEOUT"));
    const pump = async (): Promise<void> => {
      while (!isOver) {
        const { done, value } = await reader.read();
        if (isOver) return;
        if (done) {
          isOver = true;
          stop();
          resolve(body.take());
          return;
        }
        const failure = value instanceof Uint8Array ? body.add(value) : "RAW_BODY_UNAVAILABLE";
        if (failure) fail(failure);
      }
    };
    pump().catch(() => fail("BODY_INCOMPLETE"));
  });
}

/** Leaves the remaining body to the platform. */
export function dropBody({ body }: Request): void {
  if (body && !body.locked) body.cancel().catch(() => {});
}
