import { RiskGateError } from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import type { DynamicModule, Provider } from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import type { AsyncOptions, RiskGateWebhookModuleOptions } from "./module-options.js";
import { platformOf } from "./platform-of.js";

const OPTIONS = Symbol("options of RiskGateWebhookModule");
const ROUTE = Symbol("route of RiskGateWebhookModule");

/**
 * Receives signed deliveries at a path. It does not need `rawBody`: the route runs before Nest's
 * body parsers, middleware, guards and interceptors.
 *
 * @example
 * RiskGateWebhookModule.forRoot({ path: "/webhooks/security", secrets, on: { pulse } })
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest identifies a module by its class.
export class RiskGateWebhookModule {
  /** Invalid options throw CONFIG_INVALID when the application is created. */
  static forRoot(options: RiskGateWebhookModuleOptions): DynamicModule {
    return moduleWith({ provide: OPTIONS, useValue: options });
  }

  /** Like `forRoot`, with options from a factory, whose handlers can use injected dependencies. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: AsyncOptions<RiskGateWebhookModuleOptions>): DynamicModule {
    return { ...moduleWith({ provide: OPTIONS, inject, useFactory }), imports };
  }
}

function moduleWith(options: Provider<RiskGateWebhookModuleOptions>): DynamicModule {
  const route = { provide: ROUTE, inject: [OPTIONS, HttpAdapterHost], useFactory: addRoute };
  return { module: RiskGateWebhookModule, providers: [options, route] };
}

/** Providers are created before the application adds its parsers; controllers would be too late. */
function addRoute({ path, ...options }: RiskGateWebhookModuleOptions, host: HttpAdapterHost): void {
  if (typeof path !== "string") {
    throw new RiskGateError("CONFIG_INVALID", "`path` must be the path of the route");
  }
  const endpoint = createWebhookEndpoint(options, "RiskGateWebhookModule");
  const add = (): void => {
    // Microservices and plain application contexts have no adapter.
    if (!host.httpAdapter) return;
    const full = path.startsWith("/") ? path : `/${path}`;
    platformOf(host).addWebhook(host.httpAdapter, full, endpoint);
  };
  // With `Test.createTestingModule` the adapter is set later, and Nest 10 does not signal when.
  if (host.httpAdapter) add();
  else host.init$?.subscribe(add);
}
