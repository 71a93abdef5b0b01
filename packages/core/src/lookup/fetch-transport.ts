import { Chunks } from "../base/chunks.js";
import { RiskGateError } from "../base/errors.js";
import { networkError } from "./network-error.js";
import {
  type Answer,
  type Exchange,
  isSuccess,
  MAX_ANSWER_BYTES,
  tooLarge,
  type Transport,
  type TransportSettings,
} from "./transport.js";

/** Send requests with the `fetch` of the application, which manages its own connections. */
export function createFetchTransport(
  { origin, headers, redact }: TransportSettings,
  fetch: typeof globalThis.fetch,
): Transport {
  const exchange = (path: string): Exchange => {
    const controller = new AbortController();
    const { promise: cancelled, reject } = withReject();
    const run = async (): Promise<Answer> => {
      try {
        const response = await fetch(origin + path, {
          method: "GET",
          headers: { ...headers },
          redirect: "manual",
          signal: controller.signal,
        });
        return await read(response, controller.signal);
      } catch (error) {
        if (error instanceof RiskGateError) throw error;
        throw networkError(error, redact);
      }
    };
    return {
      // A fetch that ignores its signal must not hold up the caller.
      answer: Promise.race([run(), cancelled]),
      cancel() {
        controller.abort();
        reject(networkError(new Error("cancelled"), redact));
      },
    };
  };

  return { get: exchange, close: async () => {} };
}

function withReject(): { promise: Promise<never>; reject: (error: RiskGateError) => void } {
  let reject!: (error: RiskGateError) => void;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}

async function read(response: Response, signal: AbortSignal): Promise<Answer> {
  // A browser reports a redirect that it must not follow in this way.
  const status = response.type === "opaqueredirect" ? 302 : response.status;
  const answer = (body: Buffer): Answer => ({
    status,
    body,
    header: (name) => response.headers.get(name) ?? undefined,
  });
  const body = await readBody(response, signal);
  if (body) return answer(body);
  if (isSuccess(status)) throw tooLarge(status);
  return answer(Buffer.alloc(0));
}

/** The body, or undefined when it is too long; the rest is then not read. */
async function readBody(
  { body: stream, headers }: Response,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (!stream) return Buffer.alloc(0);
  const body = new Chunks();
  const announced = Number(headers.get("content-length"));
  const limit = announced > MAX_ANSWER_BYTES ? -1 : MAX_ANSWER_BYTES;
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  while (body.size <= limit && !signal.aborted) {
    const { done, value } = await reader.read();
    if (done) return body.take();
    body.add(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  }
  // The outcome is decided; an error of the cancellation changes nothing.
  reader.cancel().catch(() => {});
  return undefined;
}
