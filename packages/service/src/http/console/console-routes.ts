import type { FastifyInstance, FastifyReply } from "fastify";
import { NOT_FOUND } from "../error-body.js";
import { addResource } from "../add-resource.js";
import type { ConsoleFile } from "./console-files.js";
import { addSessionRoutes, type SessionRouteParts } from "./session-routes.js";

export interface ConsoleParts extends SessionRouteParts {
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

/** Content security policy: pages load only their own files, run no `eval`, and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const HASHED = /^assets\//;

/** Serves the console pages under `/console/`, and their sessions. */
export function addConsoleRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  addSessionRoutes(server, parts);
  const { files } = parts;
  const send = (reply: FastifyReply, path: string): FastifyReply => {
    const file = files.get(path);
    if (!file) return reply.code(404).send(NOT_FOUND);
    return reply
      .headers(HEADERS)
      .header("cache-control", HASHED.test(path) ? "max-age=31536000, immutable" : "no-cache")
      .type(file.type)
      .send(file.content);
  };
  addResource(server, "/console", { GET: (_request, reply) => reply.redirect("/console/", 308) });
  addResource(server, "/console/*", {
    GET({ params }, reply) {
      const path = (params as Readonly<Record<"*", string>>)["*"];
      // Every page is the same file, which chooses its content by the URL.
      return send(reply, files.has(path) || HASHED.test(path) ? path : "index.html");
    },
  });
}
