import type { AdminAnswer, AdminRoute } from "@riskgate/api-types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addResource, type Method } from "../add-resource.js";
import type { ApiAnswer } from "../api-answer.js";

/** `/applications/:id` as `openapi.yaml` writes it: `/applications/{id}`. */
type Described<Path extends string> = Path extends `${infer Start}:${infer Name}/${infer Rest}`
  ? `${Start}{${Name}}/${Described<Rest>}`
  : Path extends `${infer Start}:${infer Name}`
    ? `${Start}{${Name}}`
    : Path;

/** `reply.callNotFound()` returns nothing. */
type Refusal = FastifyReply | void;

type Answer<Route extends AdminRoute> =
  ApiAnswer<AdminAnswer<Route>> | Refusal | Promise<ApiAnswer<AdminAnswer<Route>> | Refusal>;

/** Handlers by method; each returns the response that `openapi.yaml` describes, or an error reply. */
type AdminHandlers<Path extends string> = {
  readonly [Name in Method as `${Name} ${Described<Path>}` extends AdminRoute ? Name : never]?: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Answer<`${Name} ${Described<Path>}` & AdminRoute>;
};

/** Serves the methods of an administration API path, with the responses defined in `openapi.yaml`. */
export function addAdminResource<Path extends string>(
  scope: FastifyInstance,
  path: Path,
  handlers: AdminHandlers<Path>,
): void {
  addResource(scope, path, handlers);
}
