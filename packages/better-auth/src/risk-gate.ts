import type { Devices, Reporter, Velocity } from "@riskgate/web";
import {
  type ClientInfo,
  createWebGate,
  readOptions,
  readWebWatch,
  type WebGate,
  type WebGateOptions,
  type WebWatch,
} from "@riskgate/web/adapter";
import type { BetterAuthPlugin } from "better-auth";
import {
  type GateName,
  guardedPath,
  guardsCreation,
  hasOwnEmail,
  isLogin,
} from "./guarded-paths.js";
import { type HookContext, lazyMiddleware } from "./lazy-middleware.js";
import { ERROR_CODES, refusalError } from "./refusal-error.js";

type GateArgs = [request: Request, info: ClientInfo];
type WatchArgs = [request: Request];

/** Options for {@link riskGate}: those of a gate, and the receivers of login outcomes. */
export interface RiskGateOptions extends Omit<
  WebGateOptions<GateArgs>,
  "email" | "onReject" | "onChallenge"
> {
  /** Receives the outcomes of logins. */
  readonly reporter?: Reporter;
  /** Counts failed logins and raises the score of further logins; `velocity` counts sign-ups. */
  readonly loginVelocity?: Velocity;
  /** Recognises the browsers of an account, and sets their cookie after each login. */
  readonly device?: Devices;
}

/** The plugin, as its types appear in `auth` and its client. */
export interface RiskGatePlugin {
  readonly id: "risk-gate";
  readonly $ERROR_CODES: typeof ERROR_CODES;
  readonly init: NonNullable<BetterAuthPlugin["init"]>;
  readonly hooks: NonNullable<BetterAuthPlugin["hooks"]>;
}

type LoginEnd = (status: number, args: WatchArgs) => Promise<void>;

/**
 * Guards sign-ups, logins, OAuth callbacks, magic links, codes, password resets and changes of the
 * email, and reports the outcomes of logins. Calls of the application without a request pass.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * betterAuth({ plugins: [riskGate({ lookup, clientAddress })] });
 */
export function riskGate(options: RiskGateOptions): RiskGatePlugin {
  const { gates, watch, device } = createParts(options);
  /** Logins under way that named their account. */
  const logins = new WeakMap<Request, LoginEnd>();

  /** @param body The body of the request, in which a challenge token may be. */
  const guard = async (request: Request, body: object, email: unknown, name: GateName) => {
    const info: ClientInfo = { body: email === undefined ? body : { ...body, email } };
    const { answer } = await gates[name].guard(request, info, request, info);
    if (answer) throw await refusalError(answer);
  };

  const before = lazyMiddleware(async ({ path, request, body }) => {
    const guarded = guardedPath(path);
    if (!request || !guarded) return;
    const given = (body ?? {}) as Readonly<Record<string, unknown>>;
    const email = given[guarded.email];
    await guard(request, given, email, guarded.gate);
    if (watch && isLogin(path) && email !== undefined) {
      logins.set(request, watch.begin(request, { body: { email } }, request));
    }
  });

  const after = lazyMiddleware(async (context: HookContext) => {
    const { request, setHeader } = context;
    const { newSession, returned } = context.context;
    if (!request) return;
    const email = newSession?.user.email;
    let end = logins.get(request);
    if (newSession) end ??= watch?.begin(request, { body: { email } }, request);
    const status = statusOf(returned, newSession !== null && newSession !== undefined);
    if (end && status !== undefined) void end(status, [request]);
    if (device && email !== undefined) {
      const response = { headers: new Headers() };
      await device.remember(response, email);
      for (const [name, value] of response.headers) setHeader(name, value);
    }
  });

  return {
    id: "risk-gate",
    $ERROR_CODES: ERROR_CODES,
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              async before(user, context) {
                const { path = "", request } = context ?? {};
                if (!request || !guardsCreation(path)) return;
                await guard(request, {}, hasOwnEmail(path) ? user.email : undefined, "signUp");
              },
            },
          },
        },
      },
    }),
    hooks: {
      before: [{ matcher: ({ path }) => guardedPath(path ?? "") !== undefined, handler: before }],
      after: [{ matcher: ({ path }) => isLogin(path ?? ""), handler: after }],
    },
  };
}

interface Parts {
  readonly gates: Readonly<Record<GateName, WebGate<GateArgs>>>;
  readonly watch: WebWatch<WatchArgs> | undefined;
  readonly device: Devices | undefined;
}

function createParts({ reporter, loginVelocity, device, ...gate }: RiskGateOptions): Parts {
  const { velocity, ...plain } = gate;
  const known = device && { device };
  const { clientAddress, onError } = gate;
  const watched = {
    ...known,
    ...(reporter && { reporter }),
    ...(loginVelocity && { velocity: loginVelocity }),
    ...(clientAddress && { clientAddress: (request: Request) => clientAddress(request, {}) }),
    ...(onError && { onError }),
  };
  const isWatched = reporter ?? loginVelocity ?? device;
  return {
    gates: {
      signUp: createWebGate<GateArgs>({ ...plain, ...(velocity && { velocity }) }),
      login: createWebGate<GateArgs>({
        ...plain,
        ...known,
        ...(loginVelocity && { velocity: loginVelocity }),
      }),
      other: createWebGate<GateArgs>(plain),
    },
    watch: isWatched && readOptions("riskGate", watched, readWebWatch<WatchArgs>),
    device,
  };
}

/** Returns the outcome of a login as a status; undefined if it has none yet, as a sent link. */
function statusOf(returned: unknown, isLoggedIn: boolean): number | undefined {
  if (isLoggedIn) return 200;
  const { statusCode } = (returned ?? {}) as { readonly statusCode?: unknown };
  // Not by class, of which a bundle may contain two.
  return typeof statusCode === "number" ? statusCode : undefined;
}
