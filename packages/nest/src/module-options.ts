import type { RiskClientOptions } from "@riskgate/core";
import type {
  LoginWatchOptions as WatchOptions,
  RequestGateOptions,
  WebhookOptions,
} from "@riskgate/core/adapter";
import type { FactoryProvider, ModuleMetadata } from "@nestjs/common";
import type { HookArgs } from "./platform.js";

/** Options for a gate; hooks receive Nest's ExecutionContext. */
export type RiskGateOptions = RequestGateOptions<HookArgs>;

/** Options for a login watch; hooks receive Nest's ExecutionContext. */
export type LoginWatchOptions = WatchOptions<HookArgs>;

/** Source of scores: the application's lookup, or a client that the module creates and closes. */
export type LookupSource =
  | { readonly lookup: RiskGateOptions["lookup"]; readonly client?: undefined }
  | { readonly client: RiskClientOptions; readonly lookup?: undefined };

/** Options for {@link RiskGateModule}, which apply to all gates in the application. */
export type RiskGateModuleOptions = Omit<RiskGateOptions, "lookup"> &
  LookupSource & {
    readonly loginWatch?: LoginWatchOptions;
  };

export interface RiskGateWebhookModuleOptions extends WebhookOptions {
  /** Path of the route as clients see it: the global prefix and versions do not change it. */
  readonly path: string;
}

/** Options created by a factory from its injected dependencies. */
export interface AsyncOptions<Options>
  extends
    Pick<ModuleMetadata, "imports">,
    Pick<FactoryProvider<Options>, "inject" | "useFactory"> {}
