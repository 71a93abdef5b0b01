import type { RequestHead, ResponseState } from "@riskgate/core/web";

/** Information about a request that a `Request` does not contain. */
export interface ClientInfo {
  /**
   * Address of the client, or of the last proxy, from the platform; a `Request` does not contain
   * it. Without it and the option `ip`, the address counts as unreadable (`whenUnavailable`).
   */
  readonly remoteAddress?: string | undefined;
  /** Parsed body, if one was read; its `email` is looked up. */
  readonly body?: unknown;
  /** Path pattern of the route, such as `/users/:id`, for the decision log. */
  readonly route?: string | undefined;
}

export class WebVisit implements RequestHead, ResponseState {
  /** Nothing is sent before the gate has finished. */
  readonly headersSent = false;
  readonly writableEnded = false;
  /** Headers for the response, whether from the gate or the handler. */
  readonly addedHeaders: [name: string, value: string][] = [];
  socket: { readonly remoteAddress: string | undefined } = { remoteAddress: undefined };
  readonly #request: Request;
  #headers: Readonly<Record<string, string>> | undefined;
  #url: string | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    if (this.#url === undefined) {
      const { pathname, search } = new URL(this.#request.url);
      this.#url = pathname + search;
    }
    return this.#url;
  }

  get headers(): Readonly<Record<string, string>> {
    return (this.#headers ??= Object.fromEntries(this.#request.headers));
  }

  get readableDidRead(): boolean {
    return this.#request.bodyUsed;
  }

  get destroyed(): boolean {
    return this.#request.signal.aborted;
  }

  once(_: "close", listener: () => void): void {
    this.#request.signal.addEventListener("abort", listener, { once: true });
  }

  off(_: "close", listener: () => void): void {
    this.#request.signal.removeEventListener("abort", listener);
  }

  destroy(): void {}
}

/** Gates for the same request share their lookups. */
const visits = new WeakMap<Request, WebVisit>();

/**
 * Adds to a response the headers that steps set for its request, each once. Returns a copy, because
 * the headers of a redirect or a fetched response are immutable.
 */
export function withAddedHeaders(request: Request, response: Response): Response {
  const added = visitOf(request).addedHeaders.splice(0);
  if (added.length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of added) copy.headers.append(name, value);
  return copy;
}

/** Returns the visit of a request, which all its gates share. */
export function visitOf(request: Request): WebVisit {
  let visit = visits.get(request);
  if (!visit) visits.set(request, (visit = new WebVisit(request)));
  return visit;
}
