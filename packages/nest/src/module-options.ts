import type { RiskClientOptions } from "@riskgate/core";
import type {
  LoginWatchOptions as WatchOptions,
  RequestGateOptions,
  WebhookOptions,
} from "@riskgate/core/adapter";
import type { FactoryProvider, ModuleMetadata } from "@nestjs/common";
import type { HookArgs } from "./platform.js";

/** Options of a gate, with hooks that get Nest's ExecutionContext. */
export type RiskGateOptions = RequestGateOptions<HookArgs>;

/** Options of a login watch, with hooks that get Nest's ExecutionContext. */
export type LoginWatchOptions = WatchOptions<HookArgs>;

/** Where the scores come from: what the application made, or a client that the module makes and closes. */
export type LookupSource =
  | { readonly lookup: RiskGateOptions["lookup"]; readonly client?: undefined }
  | { readonly client: RiskClientOptions; readonly lookup?: undefined };

/** Options of {@link RiskGateModule}: those of all gates of the application. */
export type RiskGateModuleOptions = Omit<RiskGateOptions, "lookup"> &
  LookupSource & {
    /** Options of all login watches. */
    readonly loginWatch?: LoginWatchOptions;
  };

/** Options of {@link RiskGateWebhookModule}. */
export interface RiskGateWebhookModuleOptions extends WebhookOptions {
  /** Path of the route as clients see it: the global prefix and versions do not change it. */
  readonly path: string;
}

/** Options that a factory makes from its injected dependencies. */
export interface AsyncOptions<Options>
  extends
    Pick<ModuleMetadata, "imports">,
    Pick<FactoryProvider<Options>, "inject" | "useFactory"> {}
