import { Chunks } from "../base/chunks.js";
import { RiskGateError } from "../base/errors.js";
import { networkError } from "./network-error.js";
import {
  type Answer,
  type Exchange,
  isSuccess,
  JSON_HEADERS,
  MAX_ANSWER_BYTES,
  type Request,
  tooLarge,
  type Transport,
  type TransportSettings,
} from "./transport.js";

/** Sends requests with the application's `fetch`, which manages its own connections. */
export function createFetchTransport(
  { origin, headers, redact }: TransportSettings,
  fetch: typeof globalThis.fetch,
): Transport {
  const send = ({ path, body }: Request): Exchange => {
    const controller = new AbortController();
    const { signal } = controller;
    const { promise: cancelled, reject } = withReject();
    let head: Answer | undefined;
    const run = async (): Promise<Answer> => {
      try {
        const response: unknown = await fetch(origin + path, {
          ...(body === undefined
            ? { method: "GET", headers: { ...headers } }
            : { method: "POST", headers: { ...headers, ...JSON_HEADERS }, body }),
          redirect: "manual",
          signal,
        });
        head = readHead(response);
        const answered = await readBody(response as Response, head, signal);
        if (answered) return { ...head, body: answered };
        throw tooLarge(head.status);
      } catch (error) {
        // The status of a refusal is sufficient, even if its body cannot be read.
        if (head && !isSuccess(head.status)) return head;
        if (error instanceof RiskGateError) throw error;
        throw networkError(error, redact);
      }
    };
    return {
      get head() {
        return head;
      },
      isUnread: false,
      // A fetch that ignores its signal must not delay the caller.
      answer: Promise.race([run(), cancelled]),
      cancel() {
        controller.abort();
        reject(networkError(new Error("cancelled"), redact));
      },
    };
  };

  return { send, close: async () => {} };
}

function withReject(): { promise: Promise<never>; reject: (error: RiskGateError) => void } {
  let reject!: (error: RiskGateError) => void;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}

/** Reads status and headers. The application's `fetch` may return anything. */
function readHead(response: unknown): Answer {
  const { type, status, headers } = (response ?? {}) as Partial<Record<keyof Response, unknown>>;
  const isText = (value: unknown): value is string => typeof value === "string";
  const given = HEADERS.map((name) => {
    const value: unknown = (headers as Partial<Headers> | undefined)?.get?.(name);
    return [name, isText(value) ? value : undefined] as const;
  });
  const values = new Map(given);
  return {
    // Browsers report a redirect that they must not follow in this way.
    status: type === "opaqueredirect" ? 302 : checkedStatus(status),
    body: EMPTY,
    header: (name) => values.get(name),
  };
}

const HEADERS = ["content-type", "content-length", "retry-after"];

const EMPTY = new Uint8Array(0);

function checkedStatus(status: unknown): number {
  if (Number.isInteger(status)) return status as number;
  throw new RiskGateError(
    "INVALID_RESPONSE",
    "expected `fetch` to return a response with a status",
  );
}

/** Reads the body; stops and returns undefined if it is too long. */
async function readBody(
  { body: stream }: Response,
  head: Answer,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (!stream) return EMPTY;
  const body = new Chunks();
  const announced = Number(head.header("content-length"));
  const limit = announced > MAX_ANSWER_BYTES ? -1 : MAX_ANSWER_BYTES;
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader();
  // The number of reads is limited too: endless empty chunks would starve the timers.
  for (let reads = 0; body.size <= limit && reads <= limit && !signal.aborted; reads++) {
    const { done, value } = await reader.read();
    if (done) return body.take();
    if (!(value instanceof Uint8Array)) {
      throw new RiskGateError("INVALID_RESPONSE", "expected `fetch` to return a body of bytes", {
        status: head.status,
      });
    }
    body.add(value);
  }
  // The result is known, so a cancellation error can be ignored.
  reader.cancel().catch(() => {});
  return undefined;
}
