import { subscribe } from "node:diagnostics_channel";
import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance, preHandlerHookHandler, RouteOptions } from "fastify";

interface WantedRoute {
  readonly instance: FastifyInstance;
  readonly route: RouteOptions;
}

/** Marks gate hooks across all loaded copies of this package: any of them may guard a route. */
const GATE = Symbol.for("@riskgate/fastify/gate");

const wantedRoutes = new WeakMap<object, WantedRoute[]>();

export function markGate(hook: preHandlerHookHandler): preHandlerHookHandler {
  return Object.assign(hook, { [GATE]: true });
}

/** Guards routes that an instance and its descendants added before the plugin was loaded. */
export function guardEarlierRoutes(
  app: FastifyInstance,
  guard: (route: RouteOptions) => void,
): void {
  for (const { instance, route } of watchRoutes(rootOf(app))) {
    const isBelow = app === instance || Object.prototype.isPrototypeOf.call(app, instance);
    if (isBelow && !isGuarded(route)) guard(route);
  }
}

/** Collects the routes that require a gate, and makes startup fail if one has none. */
function watchRoutes(root: FastifyInstance): readonly WantedRoute[] {
  const known = wantedRoutes.get(root);
  if (known) return known;
  const routes: WantedRoute[] = [];
  wantedRoutes.set(root, routes);
  root.addHook("onRoute", function (route) {
    if (route.config?.riskGate) routes.push({ instance: this, route });
  });
  root.addHook("onReady", async () => {
    const open = routes.find(({ route }) => !isGuarded(route))?.route;
    if (!open) return;
    const message = `no riskGate plugin covers ${String(open.method)} ${open.url}, which requires it`;
    throw new RiskGateError("CONFIG_INVALID", `\`config.riskGate\`: ${message}`, {
      hint: "Register riskGate on the route's instance or an ancestor",
    });
  });
  return routes;
}

// Routes may be added before the plugin is registered, or without one.
subscribe("fastify.initialization", (message) => {
  watchRoutes((message as { readonly fastify: FastifyInstance }).fastify);
});

function isGuarded({ preHandler }: RouteOptions): boolean {
  return [preHandler ?? []].flat().some((hook) => GATE in hook);
}

function rootOf(app: FastifyInstance): FastifyInstance {
  const above = Object.getPrototypeOf(app) as FastifyInstance;
  return "addHook" in above ? rootOf(above) : app;
}
