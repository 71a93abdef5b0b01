import type { DynamicModule, Provider } from "@nestjs/common";
import { GateSettings } from "./gate-settings.js";
import type { AsyncOptions, RiskGateModuleOptions } from "./module-options.js";

const OPTIONS = Symbol("options of RiskGateModule");

/**
 * Gives every guard of an application its options: import it once, in the root module.
 *
 * @example
 * RiskGateModule.forRoot({ client: { baseUrl, apiKey }, rejectAbove: 85 })
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest knows a module by its class.
export class RiskGateModule {
  /** Wrong options are CONFIG_INVALID, thrown when the application is created. */
  static forRoot(options: RiskGateModuleOptions): DynamicModule {
    return moduleWith({ provide: OPTIONS, useValue: options });
  }

  /** The same, with options from a factory. */
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
