import type { FastifyRequest } from "fastify";

/** A part of the path. */
export function pathParameter({ params }: FastifyRequest, name: "id" | "keyId"): string {
  return (params as Readonly<Record<string, string>>)[name]!;
}
