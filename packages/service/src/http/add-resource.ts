import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { errorBody } from "./error-body.js";

/** Handles a request: returns the response body, or a reply that was already sent. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Serves the methods of a path; rejects any other method with 405 before its body is read. */
export function addResource(
  server: FastifyInstance,
  url: string,
  handlers: Readonly<Partial<Record<Method, Handler>>>,
): void {
  const methods = Object.keys(handlers) as Method[];
  for (const method of methods) server.route({ method, url, handler: handlers[method]! });
  // Fastify serves HEAD for every path with GET.
  const served: readonly string[] = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  const allow = served.join(", ");
  const refuse = (_request: FastifyRequest, reply: FastifyReply): void => {
    void reply
      .header("allow", allow)
      .code(405)
      .send(errorBody(405, `Use ${allow}`));
  };
  server.route({
    method: (server.supportedMethods as HTTPMethods[]).filter((method) => !served.includes(method)),
    url,
    onRequest: refuse,
    handler: refuse,
  });
}

export function pathParameter({ params }: FastifyRequest, name: "id" | "keyId"): string {
  return (params as Readonly<Record<string, string>>)[name]!;
}
