import { RiskGateError } from "@riskgate/core";
import { createRequestGate, type RequestGate } from "@riskgate/core/adapter";
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  type Type,
  UseFilters,
  UseGuards,
} from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import { GateSettings } from "./gate-settings.js";
import type { RiskGateOptions } from "./module-options.js";
import type { HookArgs } from "./platform.js";
import { platformOf } from "./platform-of.js";
import { REQUEST_ANSWERED, RequestAnsweredFilter } from "./request-answered.js";

/**
 * Guard a route, or all routes of a controller, with the options of `RiskGateModule`.
 *
 * @param overrides Options that differ here. Unusable ones are CONFIG_INVALID, thrown when the
 * application is created.
 * @example
 * \@Post("signup")
 * \@RiskGate({ rejectAbove: 60 })
 * signUp(@Body() body: SignUp, @Risk() decision: Decision) {}
 */
export function RiskGate(
  overrides: Partial<RiskGateOptions> = {},
): ClassDecorator & MethodDecorator {
  return applyDecorators(UseGuards(guardWith(overrides)), UseFilters(new RequestAnsweredFilter()));
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
      if (context.getType() !== "http") {
        const message = `RiskGate guards HTTP routes, given a context of ${context.getType()}`;
        throw new RiskGateError("CONFIG_INVALID", message);
      }
      const passed = this.#gate.guard(platformOf(this.#host).exchange(context));
      return typeof passed === "boolean" ? goOn(passed) : passed.then(goOn);
    }
  }
  // Called and not written as decorators: no compiler has to know them.
  Inject(GateSettings)(RiskGateGuard, undefined, 0);
  Inject(HttpAdapterHost)(RiskGateGuard, undefined, 1);
  return RiskGateGuard;
}

function goOn(passed: boolean): boolean {
  if (passed) return true;
  throw REQUEST_ANSWERED;
}
