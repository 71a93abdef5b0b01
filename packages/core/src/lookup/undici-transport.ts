import type { Socket } from "node:net";
import type { buildConnector, Client, Dispatcher } from "undici";
import { Chunks } from "../base/chunks.js";
import { decodeBody } from "./decode-body.js";
import type { RiskGateError } from "../base/errors.js";
import { loadUndici } from "./load-undici.js";
import { networkError } from "./network-error.js";
import {
  type Answer,
  type Exchange,
  isSuccess,
  JSON_HEADERS,
  MAX_ANSWER_BYTES,
  tooLarge,
  type Transport,
  type TransportSettings,
} from "./transport.js";

/** What one request has of its own. */
interface Request {
  readonly path: string;
  readonly method: "GET" | "POST";
  /** JSON text. */
  readonly body?: string;
}

type Headers = Record<string, string | string[] | undefined>;

/** One connection, made again when the service has closed it. */
interface Connection {
  readonly client: Client;
  /** Whether a request was sent over it before: then the service may be closing it right now. */
  isUsed: boolean;
  /** Close it for good, also while it is being made; its request fails. */
  end(): void;
}

/**
 * Send requests over kept-alive connections, one request at a time on each.
 *
 * The connections are managed here instead of by undici's `Pool`, which makes a new connection for
 * each request that is aborted, and does not end connections that are being made when it is closed.
 * Their number is bounded by the semaphore of the client, which limits the requests anyway.
 */
export function createUndiciTransport(settings: TransportSettings): Transport {
  const { origin, headers, redact } = settings;
  const open = new Set<Connection>();
  // The last one used comes first: a few connections stay warm and the others can time out.
  const idle: Connection[] = [];
  let connect: (() => Connection) | undefined;
  let closed = false;

  const load = async (): Promise<() => Connection> => {
    const undici = await loadUndici();
    const connector = undici.buildConnector({
      timeout: settings.connectTimeoutMs,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says; and a resumed session would skip the check.
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      ...(settings.ca !== undefined && { ca: settings.ca }),
    });
    connect = () => createConnection(undici.Client, origin, connector);
    return connect;
  };

  const release = (connection: Connection, isReusable: boolean): void => {
    if (isReusable) idle.push(connection);
    else {
      open.delete(connection);
      connection.end();
    }
  };

  // Now, so that the first lookup has its time for itself. A failure is that of each lookup.
  const loading = load();
  loading.catch(() => {});

  const pick = (make: () => Connection, isFresh: boolean): Connection => {
    if (!isFresh) return idle.pop() ?? make();
    // In the place of the one least likely to be good, so that the number stays within its bound.
    const oldest = idle.shift();
    if (oldest) release(oldest, false);
    return make();
  };

  const send = (
    exchange: UndiciExchange,
    request: Request,
    isFresh: boolean,
    make: () => Connection,
  ): void => {
    if (closed || exchange.isCancelled) {
      exchange.fail(new Error("cancelled"));
      return;
    }
    const connection = pick(make, isFresh);
    open.add(connection);
    const { path, method, body } = request;
    const own = body === undefined ? headers : { ...headers, ...JSON_HEADERS };
    exchange.start(connection, { path, method, headers: own, ...(body !== undefined && { body }) });
  };

  const exchange = (request: Request, isFresh: boolean): Exchange => {
    const started = new UndiciExchange(redact, release);
    if (connect) send(started, request, isFresh, connect);
    else {
      loading
        .then((make) => send(started, request, isFresh, make))
        .catch((error: unknown) => started.fail(error));
    }
    return started;
  };

  return {
    get: (path, isFresh) => exchange({ path, method: "GET" }, isFresh),
    post: (path, body, isFresh) => exchange({ path, method: "POST", body }, isFresh),

    async close() {
      closed = true;
      for (const connection of open) connection.end();
      open.clear();
      idle.length = 0;
    },
  };
}

function createConnection(
  ClientOfUndici: typeof Client,
  origin: string,
  connector: buildConnector.connector,
): Connection {
  let socket: Socket | undefined;
  const client = new ClientOfUndici(origin, {
    // The deadline of the call covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, done) {
      // By its type it returns nothing; it does return the socket.
      socket = connector(options, done) as unknown as Socket;
    },
  });
  return {
    client,
    isUsed: false,
    end() {
      void client.destroy();
      socket?.destroy(new Error("closed"));
    },
  };
}

const EMPTY = new Uint8Array(0);

/** One request; its connection reports what happens to it. */
class UndiciExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  isCancelled = false;
  isUnread = false;
  readonly #redact: (text: string) => string;
  readonly #release: (connection: Connection, isReusable: boolean) => void;
  #resolve!: (answer: Answer) => void;
  #reject!: (error: RiskGateError) => void;
  #connection: Connection | undefined;
  #status = 0;
  #headers: Headers | undefined;
  readonly #body = new Chunks();

  constructor(
    redact: (text: string) => string,
    release: (connection: Connection, isReusable: boolean) => void,
  ) {
    this.#redact = redact;
    this.#release = release;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get head(): Answer | undefined {
    return this.#status === 0 ? undefined : this.#answer(EMPTY);
  }

  start(connection: Connection, options: Dispatcher.DispatchOptions): void {
    this.#connection = connection;
    this.isUnread = connection.isUsed;
    connection.isUsed = true;
    connection.client.dispatch(options, this);
  }

  cancel(): void {
    this.isCancelled = true;
    this.#leave(false);
  }

  fail(error: unknown): void {
    this.#leave(false);
    // The status of a refusal says enough, whatever becomes of the body.
    if (this.#status !== 0 && !isSuccess(this.#status)) this.#settle(EMPTY);
    else this.#reject(networkError(error, this.#redact));
  }

  // Marks this handler as one of the current interface.
  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Interim answers (103 and the like) come before the one that counts.
    this.isUnread = false;
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > MAX_ANSWER_BYTES) this.#stopReading();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.add(chunk);
    if (this.#body.size > MAX_ANSWER_BYTES) this.#stopReading();
  }

  onResponseEnd(): void {
    this.#leave(true);
    try {
      this.#settle(decodeBody(this.#body.take(), this.#header("content-encoding"), this.#status));
    } catch (error) {
      if (isSuccess(this.#status)) this.#reject(error as RiskGateError);
      else this.#settle(EMPTY);
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    this.fail(error);
  }

  #stopReading(): void {
    if (isSuccess(this.#status)) this.#reject(tooLarge(this.#status));
    else this.#settle(EMPTY);
    this.#leave(false);
  }

  #leave(isReusable: boolean): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) this.#release(connection, isReusable);
  }

  #settle(body: Uint8Array): void {
    this.#resolve(this.#answer(body));
  }

  #answer(body: Uint8Array): Answer {
    return { status: this.#status, body, header: (name) => this.#header(name) };
  }

  #header(name: string): string | undefined {
    const value = this.#headers?.[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
