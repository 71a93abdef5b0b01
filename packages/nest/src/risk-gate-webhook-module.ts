import { RiskGateError } from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import type { DynamicModule, Provider } from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import type { AsyncOptions, RiskGateWebhookModuleOptions } from "./module-options.js";
import { platformOf } from "./platform-of.js";

const OPTIONS = Symbol("options of RiskGateWebhookModule");
const ROUTE = Symbol("route of RiskGateWebhookModule");

/**
 * Receives signed deliveries at a path. It needs no `rawBody`: the route runs before the body parsers
 * of Nest, and before its middleware, guards and interceptors.
 *
 * @example
 * RiskGateWebhookModule.forRoot({ path: "/webhooks/security", secrets, on: { pulse } })
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest knows a module by its class.
export class RiskGateWebhookModule {
  /** Wrong options are CONFIG_INVALID, thrown when the application is created. */
  static forRoot(options: RiskGateWebhookModuleOptions): DynamicModule {
    return moduleWith({ provide: OPTIONS, useValue: options });
  }

  /** The same, with options from a factory, whose handlers use what was injected. */
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

/** Providers are made before the application adds its parsers, which is too late for a controller. */
function addRoute({ path, ...options }: RiskGateWebhookModuleOptions, host: HttpAdapterHost): void {
  if (typeof path !== "string") {
    throw new RiskGateError("CONFIG_INVALID", "`path` must be the path of the route");
  }
  const endpoint = createWebhookEndpoint(options, "RiskGateWebhookModule");
  const add = (): void => {
    // A microservice and a plain application context have none.
    if (!host.httpAdapter) return;
    const full = path.startsWith("/") ? path : `/${path}`;
    platformOf(host).addWebhook(host.httpAdapter, full, endpoint);
  };
  // `Test.createTestingModule` knows the adapter only later, and Nest 10 does not say when.
  if (host.httpAdapter) add();
  else host.init$?.subscribe(add);
}
