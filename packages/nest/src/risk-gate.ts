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
 * Guards a route, or all routes in a controller, with the options of {@link RiskGateModule}.
 *
 * @param overrides Options that differ here. Invalid ones throw CONFIG_INVALID when the application
 * is created.
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
  // Called as functions, so that no compiler support for decorators is needed.
  Inject(GateSettings.token)(RiskGateGuard, undefined, 0);
  Inject(HttpAdapterHost)(RiskGateGuard, undefined, 1);
  return RiskGateGuard;
}

/**
 * Stops processing: the response was sent, or the client has disconnected. If a guard returned
 * false or threw, the application's filters would send a second response. Each request has a
 * separate promise: a shared one would retain everything that awaits it.
 */
function endHere(): Promise<never> {
  return new Promise(() => {});
}
