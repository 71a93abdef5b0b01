import { Server as NetServer, type Socket } from "node:net";
import { isRiskGateError } from "@riskgate/core";
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply } from "fastify";
import { errorBody, NOT_FOUND } from "./error-body.js";
import { routeOf } from "./lookup-path.js";

/** Settings of {@link createHttpServer}. */
export interface HttpServerSettings {
  /** Most bytes of a request's body. */
  readonly maxBodyBytes: number;
  /** How long open connections may go on with their requests once it closes. */
  readonly drainMs: number;
}

/** Longest that a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Wait for the peer to read why its connection ends. */
const LINGER_MS = 1_000;

const NOSNIFF = "x-content-type-options";

/** Make a server whose every answer is a JSON object, also where the HTTP parser refuses. */
export function createHttpServer({ maxBodyBytes, drainMs }: HttpServerSettings): FastifyInstance {
  const server = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What arrives on an open connection while it closes is still answered.
    return503OnClosing: false,
    // Node's own refusal has no body.
    http: { requireHostHeader: false },
    rewriteUrl: ({ url = "/" }) => routeOf(url),
    clientErrorHandler: refuseBytes,
    frameworkErrors: (_error, _request, reply) => {
      // The hooks do not run here.
      void refuse(reply.header(NOSNIFF, "nosniff"), 400, "Malformed path");
    },
  });
  server.removeContentTypeParser("text/plain");
  // Not on request: the answers of lookups are written without a hook.
  server.addHook("onSend", (_request, reply, _payload, next) => {
    reply.header(NOSNIFF, "nosniff");
    next();
  });
  server.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send(NOT_FOUND);
  });
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    void refuse(reply, ...reasonOf(error));
  });
  server.server.on("checkExpectation", (_request, response) => {
    const text = JSON.stringify(errorBody(417, "Only 100-continue can be expected"));
    response.writeHead(417, headersOf(text)).end(text);
  });
  server.addHook("preClose", () => drain(server, drainMs));
  return server;
}

function refuse(reply: FastifyReply, status: number, details: string): FastifyReply {
  return reply.code(status).send(errorBody(status, details));
}

/** Status and words for what went wrong, none of which come from the request. */
function reasonOf(error: FastifyError): [status: number, details: string] {
  if (isRiskGateError(error)) {
    if (error.code === "INVALID_ARGUMENT" || error.code === "CONFIG_INVALID") {
      return [400, error.message];
    }
    return error.code === "STORE_FAILED" ? [503, error.message] : [500, "The service failed"];
  }
  switch (error.statusCode) {
    case 413:
      return [413, "The body is too large"];
    case 415:
      return [415, "Send application/json"];
    default:
      return (error.statusCode ?? 500) < 500
        ? [400, "The body is not valid JSON"]
        : [500, "The service failed"];
  }
}

/** Answer bytes that are no request. */
function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
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
  const text = JSON.stringify(errorBody(status, details));
  const { error: reason } = errorBody(status, details);
  const head = Object.entries({ ...headersOf(text), connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n${text}`);
  // Destroyed at once, the connection would be reset and the answer lost with it.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

function headersOf(text: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    [NOSNIFF]: "nosniff",
  };
}

/**
 * Take no more connections, and give the open ones time: Node would end at once those that seem idle,
 * with requests on their way.
 */
async function drain({ server }: FastifyInstance, drainMs: number): Promise<void> {
  if (!server.listening) return;
  // Connections that the system has made already are taken in this turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    NetServer.prototype.close.call(server, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
