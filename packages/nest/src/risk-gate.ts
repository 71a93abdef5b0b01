import { createRequestGate, type RequestGate } from "@riskgate/core/adapter";
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  type Type,
  UseGuards,
} from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import { GateSettings } from "./gate-settings.js";
import type { RiskGateOptions } from "./module-options.js";
import type { HookArgs } from "./platform.js";
import { platformOf } from "./platform-of.js";

/**
 * Guards a route, or all routes of a controller, with the options of {@link RiskGateModule}.
 *
 * @param overrides Options that differ here. Unusable ones are CONFIG_INVALID, thrown when the
 * application is created.
 * @example
 * \@Post("signup")
 * \@RiskGate({ rejectAbove: 60 })
 * signUp(@Risk() decision: Decision) {
 *   return { watched: decision.outcome === "flag" };
 * }
 */
export function RiskGate(
  overrides: Partial<RiskGateOptions> = {},
): ClassDecorator & MethodDecorator {
  return UseGuards(guardWith(overrides));
}

function guardWith(overrides: Partial<RiskGateOptions>): Type<CanActivate> {
  class RiskGateGuard implements CanActivate {
    readonly #gate: RequestGate<HookArgs>;
    readonly #host: HttpAdapterHost;

    constructor(settings: GateSettings, host: HttpAdapterHost) {
      this.#gate = createRequestGate({ ...settings.gate, ...overrides }, "RiskGate");
      this.#host = host;
    }

    canActivate(context: ExecutionContext): boolean | Promise<boolean> {
      const passed = this.#gate.guard(platformOf(this.#host, context).exchange(context));
      if (passed === true) return true;
      return passed === false ? endHere() : passed.then((isPassed) => isPassed || endHere());
    }
  }
  // Called and not written as decorators: no compiler has to know them.
  Inject(GateSettings.token)(RiskGateGuard, undefined, 0);
  Inject(HttpAdapterHost)(RiskGateGuard, undefined, 1);
  return RiskGateGuard;
}

/**
 * The request was answered, or its client has gone: nothing more may happen to it. For a guard that
 * returns false or throws, the filters of the application would answer again. Each request
 * has a separate promise: a shared one would keep everything that waits for it.
 */
function endHere(): Promise<never> {
  return new Promise(() => {});
}
