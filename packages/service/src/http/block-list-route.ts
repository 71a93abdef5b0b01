import { createHmac } from "node:crypto";
import { mailboxOf } from "@riskgate/core/address";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { BlockPage, BlockSource } from "../operator/block-source.js";
import { addResource } from "./add-resource.js";
import { BLOCKS_UNAUTHORIZED } from "./error-body.js";
import { createKeyHook, type KeyHookParts } from "./key-hook.js";
import { readWait } from "./prefer-wait.js";
import { stopDeadline } from "./request-deadline.js";

export interface BlockListRouteOptions extends KeyHookParts {
  readonly source: BlockSource;
}

/** Serves the blocks of an application to its block lists. A key for blocks permits nothing else. */
export function addBlockListRoute(
  server: FastifyInstance,
  { source, ...parts }: BlockListRouteOptions,
): void {
  const { check, holderOf } = createKeyHook(parts, BLOCKS_UNAUTHORIZED);
  server.register(async (scope) => {
    scope.addHook("onRequest", check);
    addResource(scope, "/v1/blocks", {
      async GET(request, reply) {
        const waitMs = readWait(request, reply);
        if (waitMs > 0) stopDeadline(request);
        const key = request.headers["x-api-key"] as string;
        const page = await source.read(
          holderOf(request).id,
          cursorIn(request),
          waitMs,
          closedSignal(reply),
        );
        return { ...page, blocks: page.blocks.map((block) => entryOf(block, key)) };
      },
    });
  });
}

function cursorIn({ query }: FastifyRequest): string | undefined {
  const { cursor } = query as { readonly cursor?: string | readonly string[] };
  return cursor === undefined ? undefined : [cursor].flat().join();
}

/** Accounts are digests by the caller's key, so that a copy of the response names nobody. */
function entryOf({ type, target, forMs }: BlockPage["blocks"][number], key: string): object {
  if (type === "network") return { target, forMs };
  const digest = createHmac("sha256", key).update(`mailbox ${mailboxOf(target)}`);
  return { target: `#${digest.digest("base64url").slice(0, 22)}`, forMs };
}

/** Returns a signal that is aborted when the client disconnects. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // Not of the socket, which serves many requests.
  raw.once("close", () => controller.abort());
  return controller.signal;
}
