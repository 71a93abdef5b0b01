import { createServer, type IncomingMessage, maxHeaderSize, type RequestListener } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { refuseDeep, TOO_DEEP } from "@riskgate/core/internal";
import { fastify, type FastifyError, type FastifyInstance } from "fastify";
import { type ErrorBody, errorBody, failureBody, NOT_FOUND } from "./error-body.js";
import type { RequestHandler } from "./lookup-route.js";
import { addRequestDeadline } from "./request-deadline.js";
import { recordRequest, type RequestRecord } from "./request-record.js";
import { jsonHeaders, RETRY_AFTER, sendError } from "./send-json.js";

export interface HttpServerSettings {
  readonly handler: RequestHandler;
  readonly maxBodyBytes: number;
  /** How long `close` waits for requests on open connections, in milliseconds. */
  readonly drainMs: number;
  /** Called after every response, and after a client disconnected. */
  readonly onRequest?: ((request: RequestRecord) => void) | undefined;
}

/** Time limit for receiving a whole request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long an idle connection stays open: longer than with common proxies. */
const KEEP_ALIVE_MS = 72_000;

/** Time for the client to read the response before its connection is destroyed. */
const LINGER_MS = 1_000;

/** Code of the error for a body that is nested too deeply. */
const BODY_TOO_DEEP = "BODY_TOO_DEEP";

const NOSNIFF = "x-content-type-options";

/** Creates a server whose every response is a JSON object, even to invalid HTTP. */
export function createHttpServer(settings: HttpServerSettings): FastifyInstance {
  const { handler, maxBodyBytes, drainMs, onRequest } = settings;
  const routes = new WeakMap<IncomingMessage, string>();
  const recorded: RequestHandler = (request, response) => {
    recordRequest(request, response, () => routes.get(request), onRequest!);
    return handler(request, response);
  };
  const server = fastify({
    bodyLimit: maxBodyBytes,
    // An overlong identifier gets the same response as an invalid one.
    routerOptions: { maxParamLength: maxHeaderSize },
    // While the server closes, it still handles requests on open connections.
    return503OnClosing: false,
    serverFactory: (listener) => serve(onRequest ? recorded : handler, listener),
    clientErrorHandler: refuseBytes,
    frameworkErrors: (_error, _request, reply) =>
      sendError(reply.raw, errorBody(400, "Malformed path")),
  });
  server.removeContentTypeParser("text/plain");
  addJsonParser(server);
  addRequestDeadline(server);
  if (onRequest) {
    server.addHook("onRequest", (request, _reply, next) => {
      const { url } = request.routeOptions;
      if (url !== undefined) routes.set(request.raw, url);
      next();
    });
  }
  server.addHook("onSend", (_request, reply, _payload, next) => {
    reply.header(NOSNIFF, "nosniff");
    if (reply.statusCode === 503) reply.header("retry-after", RETRY_AFTER);
    next();
  });
  server.addHook("onResponse", (request, _reply, next) => {
    endUnreadBody(request.raw);
    next();
  });
  server.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send(NOT_FOUND);
  });
  // Runs after every guard and before Fastify parses the body, which it does even for unknown paths.
  server.addHook("preParsing", (request, reply, payload, next) => {
    if (request.is404) void reply.code(404).send(NOT_FOUND);
    else next(null, payload);
  });
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const body = bodyOf(error);
    void reply.code(body.code).send(body);
  });
  server.addHook("preClose", () => drain(server, drainMs));
  return server;
}

function addJsonParser(server: FastifyInstance): void {
  // Members that would set a prototype are removed like other unknown members.
  const parse = server.getDefaultJsonParser("remove", "remove");
  server.removeContentTypeParser("application/json");
  server.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      const text = body.toString("utf8");
      try {
        refuseDeep(text);
      } catch (error) {
        return done(Object.assign(error as Error, { statusCode: 400, code: BODY_TOO_DEEP }));
      }
      return parse(request, text, done);
    },
  );
}

function serve(handler: RequestHandler, routes: RequestListener): ReturnType<typeof createServer> {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's own error response has no body.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    // A client that gets a response while the server closes must not reuse the connection.
    if (!server.listening) response.setHeader("connection", "close");
    if (!handler(request, response)) routes(request, response);
  });
  return server.on("checkExpectation", (_request, response) =>
    sendError(response, errorBody(417, "The only supported expectation is 100-continue")),
  );
}

/**
 * Closes the connection soon after a response that was sent before the end of the request body. The
 * client can read the response, but cannot continue sending a body that is ignored.
 */
function endUnreadBody(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS);
  request.once("close", () => clearTimeout(timer));
}

function bodyOf(error: FastifyError): ErrorBody {
  switch (error.statusCode) {
    case undefined:
      return failureBody(error);
    case 413:
      return errorBody(413, "The body is too large");
    case 415:
      return errorBody(415, "Send application/json");
    default:
      if (error.statusCode >= 500) return failureBody(error);
      if (error.code !== BODY_TOO_DEEP) return errorBody(400, "The body is not valid JSON");
      return errorBody(400, `The body is ${TOO_DEEP}`);
  }
}

/** The error that Node emits for bytes that are not an HTTP request. */
interface ClientError extends Error {
  readonly code?: string;
  /** A buffer with the last bytes received, if there are any. */
  readonly rawPacket?: unknown;
}

/**
 * Returns true if the bytes may belong to a HEAD request, whose response has no body: they begin with
 * `HEAD`, or the bytes before them are unknown.
 */
function mayBeHead({ rawPacket }: ClientError, { bytesRead }: Socket): boolean {
  if (!Buffer.isBuffer(rawPacket)) return true;
  const method = /^[A-Z]+(?= )/.exec(rawPacket.toString("latin1", 0, 16))?.[0];
  return method === undefined ? bytesRead > rawPacket.length : method === "HEAD";
}

function refuseBytes(error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, details] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ([431, "The headers are too large"] as const)
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ([408, "The request did not arrive in time"] as const)
        : ([400, "The request is not valid HTTP"] as const);
  const body = errorBody(status, details);
  const text = JSON.stringify(body);
  const head = Object.entries({ ...jsonHeaders(text), connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const shown = mayBeHead(error, socket) ? "" : text;
  socket.end(`HTTP/1.1 ${status} ${body.error}\r\n${head}\r\n${shown}`);
  // Destroying the connection immediately would reset it and lose the response.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Stops accepting connections, waits for the open ones up to a limit, and then closes them. Node
 * itself would immediately close connections that seem idle, even if they carry requests, and wait
 * indefinitely for the others.
 */
async function drain({ server }: FastifyInstance, drainMs: number): Promise<void> {
  if (!server.listening) return;
  // Accepts connections that the system has already established.
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs);
    NetServer.prototype.close.call(server, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
