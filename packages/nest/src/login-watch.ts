import { createLoginWatch, type LoginWatch as Watch } from "@riskgate/core/adapter";
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  type Type,
  UseGuards,
} from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import { GateSettings } from "./gate-settings.js";
import type { LoginWatchOptions } from "./module-options.js";
import type { HookArgs } from "./platform.js";
import { platformOf } from "./platform-of.js";

/**
 * Reports a route's login outcomes, with the option `loginWatch` of {@link RiskGateModule}. Write
 * it above `RiskGate`, so that it sees only what passed the gate: Nest runs the lowest guard first.
 *
 * @param overrides Options that differ here. Invalid ones throw CONFIG_INVALID when the application
 * is created.
 */
export function LoginWatch(
  overrides: Partial<LoginWatchOptions> = {},
): ClassDecorator & MethodDecorator {
  return UseGuards(guardWith(overrides));
}

function guardWith(overrides: Partial<LoginWatchOptions>): Type<CanActivate> {
  class LoginWatchGuard implements CanActivate {
    readonly #watch: Watch<HookArgs>;
    readonly #host: HttpAdapterHost;

    constructor(settings: GateSettings, host: HttpAdapterHost) {
      this.#watch = createLoginWatch({ ...settings.loginWatch, ...overrides });
      this.#host = host;
    }

    canActivate(context: ExecutionContext): boolean {
      this.#watch.begin(platformOf(this.#host, context).exchange(context));
      return true;
    }
  }
  Inject(GateSettings.token)(LoginWatchGuard, undefined, 0);
  Inject(HttpAdapterHost)(LoginWatchGuard, undefined, 1);
  return LoginWatchGuard;
}
