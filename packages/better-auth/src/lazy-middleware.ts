import type * as Api from "better-auth/api";

type Middleware = ReturnType<typeof Api.createAuthMiddleware>;
type Handle = Extract<Parameters<typeof Api.createAuthMiddleware>[0], (...args: never) => unknown>;
export type HookContext = Parameters<Handle>[0];

/** Loads Better Auth on demand: it is only an ES module, and this package is also CommonJS. */
export const loadApi: () => Promise<typeof Api> = () => import("better-auth/api");

/** Creates the handler of a hook, which loads Better Auth before its first request. */
export function lazyMiddleware(handle: (context: HookContext) => Promise<void>): Middleware {
  let made: Middleware | undefined;
  const run = async (context: Parameters<Middleware>[0]) => {
    const { createAuthMiddleware } = await loadApi();
    made ??= createAuthMiddleware(handle);
    return made(context);
  };
  return Object.assign(run, { options: {} });
}
