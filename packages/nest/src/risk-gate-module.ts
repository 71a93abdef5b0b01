import type { DynamicModule, Provider } from "@nestjs/common";
import { GateSettings } from "./gate-settings.js";
import type { AsyncOptions, RiskGateModuleOptions } from "./module-options.js";

const OPTIONS = Symbol("options of RiskGateModule");

/**
 * Provides the options of all guards in an application: import it once, in the root module.
 *
 * @example
 * RiskGateModule.forRoot({ client: { baseUrl, apiKey }, rejectAbove: 85 })
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest identifies a module by its class.
export class RiskGateModule {
  /** Invalid options throw CONFIG_INVALID when the application is created. */
  static forRoot(options: RiskGateModuleOptions): DynamicModule {
    return moduleWith({ provide: OPTIONS, useValue: options });
  }

  /** Like `forRoot`, with options from a factory. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: AsyncOptions<RiskGateModuleOptions>): DynamicModule {
    return { ...moduleWith({ provide: OPTIONS, inject, useFactory }), imports };
  }
}

function moduleWith(options: Provider<RiskGateModuleOptions>): DynamicModule {
  const settings = {
    provide: GateSettings.token,
    inject: [OPTIONS],
    useFactory: (given: RiskGateModuleOptions) => new GateSettings(given),
  };
  return {
    module: RiskGateModule,
    global: true,
    providers: [options, settings],
    exports: [GateSettings.token],
  };
}
