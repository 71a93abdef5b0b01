// `openapi.d.ts` is written by `write.mjs`, after an installation and by every build.
import type { paths } from "./openapi.js";

export type * from "./openapi.js";

type Methods = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An operation of the administration API: `GET /applications/{id}`. */
export type AdminRoute = {
  [Path in keyof paths]: Path extends `/admin/v1${infer Rest}`
    ? {
        [Method in Methods]: paths[Path][Lowercase<Method> & keyof paths[Path]] extends {
          readonly responses: object;
        }
          ? `${Method} ${Rest}`
          : never;
      }[Methods]
    : never;
}[keyof paths];

type Operation<Route extends AdminRoute> = Route extends `${infer Method} ${infer Rest}`
  ? `/admin/v1${Rest}` extends infer Path extends keyof paths
    ? paths[Path][Lowercase<Method> & keyof paths[Path]]
    : never
  : never;

/** JSON leaves out members that are undefined. */
export type Loose<T> = { readonly [Name in keyof T]: T[Name] | undefined };

type Parameters<Route extends AdminRoute, Place extends "path" | "query"> =
  Operation<Route> extends {
    readonly parameters: { readonly [Each in Place]?: infer Given };
  }
    ? Given
    : never;

type Body<Route extends AdminRoute> =
  Operation<Route> extends {
    readonly requestBody?: { readonly content: { readonly "application/json": infer Given } };
  }
    ? Loose<Given>
    : never;

type Answers<Route extends AdminRoute> =
  Operation<Route> extends { readonly responses: infer Every }
    ? Every[keyof Every & (200 | 201 | 202)]
    : never;

/** Answer of a successful operation. */
export type AdminAnswer<Route extends AdminRoute> =
  Answers<Route> extends { readonly content: { readonly "application/json": infer Answer } }
    ? Answer
    : undefined;

/** Query and body of an operation, with the parts of its path if it has any. */
export type AdminQuestion<Route extends AdminRoute> = {
  readonly query?: Loose<Parameters<Route, "query">>;
  readonly body?: Body<Route>;
} & ([Parameters<Route, "path">] extends [never]
  ? { readonly parts?: never }
  : { readonly parts: Parameters<Route, "path"> });

/** Arguments after the operation in a call; optional if its path has no parts. */
export type AdminArguments<Route extends AdminRoute> = [Parameters<Route, "path">] extends [never]
  ? [question?: AdminQuestion<Route>]
  : [question: AdminQuestion<Route>];
