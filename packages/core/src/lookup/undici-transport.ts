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
  type Request,
  tooLarge,
  type Transport,
  type TransportSettings,
} from "./transport.js";

type Headers = Record<string, string | string[] | undefined>;

interface Connection {
  readonly client: Client;
  /** True if it has carried a request: the service may then be closing it at this moment. */
  isUsed: boolean;
  /** Closes it permanently, even while it is opening; its request fails. */
  end(): void;
}

/**
 * Sends requests over keep-alive connections, one request at a time on each. Replaces undici's
 * `Pool`, which opens a new connection for each aborted request, and when closed does not end
 * connections that are still opening. The client's semaphore limits requests, and so connections.
 */
export function createUndiciTransport(settings: TransportSettings): Transport {
  const { origin, headers, redact } = settings;
  const open = new Set<Connection>();
  // The most recently used one is first: a few connections stay open and the others time out.
  const idle: Connection[] = [];
  let connect: (() => Connection) | undefined;
  let closed = false;

  const load = async (): Promise<void> => {
    const undici = await loadUndici();
    const connector = undici.buildConnector({
      timeout: settings.connectTimeoutMs,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED; a resumed session would skip the check.
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      ...(settings.ca !== undefined && { ca: settings.ca }),
    });
    connect = () => createConnection(undici.Client, origin, connector);
  };

  const release = (connection: Connection, isReusable: boolean): void => {
    if (isReusable) idle.push(connection);
    else {
      open.delete(connection);
      connection.end();
    }
  };

  // Started early so that it does not delay the first lookup. If it fails, all lookups fail.
  const loading = load();
  loading.catch(() => {});

  const start = (exchange: UndiciExchange, request: Request, isFresh: boolean): void => {
    if (!connect || closed || exchange.isCancelled) {
      exchange.fail(new Error("cancelled"));
      return;
    }
    // The oldest connection is the most likely to be broken, and their number is limited.
    const oldest = isFresh ? idle.shift() : undefined;
    if (oldest) release(oldest, false);
    const connection = (isFresh ? undefined : idle.pop()) ?? connect();
    open.add(connection);
    exchange.connection = connection;
    exchange.isUnread = connection.isUsed;
    connection.isUsed = true;
    const { path, body } = request;
    connection.client.dispatch(
      body === undefined
        ? { path, method: "GET", headers }
        : { path, method: "POST", headers: { ...headers, ...JSON_HEADERS }, body },
      exchange,
    );
  };

  return {
    send(request, isFresh) {
      const exchange = new UndiciExchange(redact, release);
      if (connect) start(exchange, request, isFresh);
      else {
        loading
          .then(() => start(exchange, request, isFresh))
          .catch((error: unknown) => exchange.fail(error));
      }
      return exchange;
    },

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
    // The call's deadline covers all phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, done) {
      // It returns the socket, although its declared type is void.
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

/** One request and its response; the connection reports its progress. */
class UndiciExchange implements Exchange, Answer, Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  status = 0;
  body: Uint8Array = EMPTY;
  connection: Connection | undefined;
  isCancelled = false;
  isUnread = false;
  readonly #redact: (text: string) => string;
  readonly #release: (connection: Connection, isReusable: boolean) => void;
  #resolve!: (answer: Answer) => void;
  #reject!: (error: RiskGateError) => void;
  #headers: Headers | undefined;
  readonly #received = new Chunks();

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
    return this.status === 0 ? undefined : this;
  }

  header(name: string): string | undefined {
    const value = this.#headers?.[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#leave(false);
  }

  fail(error: unknown): void {
    this.#leave(false);
    // The status of a refusal is sufficient, even if its body cannot be read.
    if (this.status !== 0 && !isSuccess(this.status)) this.#resolve(this);
    else this.#reject(networkError(error, this.#redact));
  }

  // Its presence marks this handler as using the current interface.
  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.isUnread = false;
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > MAX_ANSWER_BYTES) this.#stopReading();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received.add(chunk);
    if (this.#received.size > MAX_ANSWER_BYTES) this.#stopReading();
  }

  onResponseEnd(): void {
    this.#leave(true);
    const body = this.#received.take();
    const encoding = this.header("content-encoding");
    try {
      this.body = encoding === undefined ? body : decodeBody(body, encoding, this.status);
    } catch (error) {
      if (isSuccess(this.status)) this.#reject(error as RiskGateError);
    }
    this.#resolve(this);
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    this.fail(error);
  }

  #stopReading(): void {
    if (isSuccess(this.status)) this.#reject(tooLarge(this.status));
    else this.#resolve(this);
    this.#leave(false);
  }

  #leave(isReusable: boolean): void {
    const { connection } = this;
    this.connection = undefined;
    if (connection) this.#release(connection, isReusable);
  }
}
