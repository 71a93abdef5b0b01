import { callHook, callSyncHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { limitTime } from "../base/time-limit.js";
import type { Step, Verdict } from "../decision/step.js";
import { isThenable } from "../model/awaitable.js";
import { BECAUSE, OUTCOMES } from "../model/decision.js";

const PHASES = ["identify", "before", "weigh", "judge", "confirm", "decided", "aborted"] as const;

/**
 * Reads the option `steps`. If a step throws or returns something unexpected, the error is
 * reported, and the request continues as if the step had returned undefined.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a missing name or phase, or a duplicate name.
 */
export function readCustomSteps(
  options: OptionReader,
  report: ErrorHook,
  budgetMs: number,
): Step[] {
  const names = new Set<string>();
  return (options.list("steps") ?? []).map((given, position) => {
    const step = (given ?? {}) as Partial<Step>;
    const { name } = step;
    const isNamed = typeof name === "string" && name !== "" && !names.has(name);
    const phases = PHASES.filter((phase) => step[phase] !== undefined);
    const isUsable = phases.length > 0 && phases.every((one) => typeof step[one] === "function");
    if (!isNamed || !isUsable) {
      const expected = `an object with a unique \`name\` and at least one of ${PHASES.join(", ")}`;
      return options.refuse(`steps[${position}]`, expected, given);
    }
    names.add(name);
    return guardedStep(step as Step, report, budgetMs);
  });
}

/** Wraps a step so that none of its phases throws or rejects. */
function guardedStep(step: Step, report: ErrorHook, budgetMs: number): Step {
  const { name, waits, challengedBy } = step;
  const reading = (soFar?: Verdict) => (value: unknown) =>
    value === soFar ? undefined : readVerdict(value, name, budgetMs);
  const how = { report, otherwise: undefined };
  const of = (phase: string): string => `\`${phase}\` of the step \`${name}\``;
  const wait = (phase: "identify" | "weigh"): Step["weigh"] =>
    step[phase] &&
    ((context) => {
      const limit = { ms: context.leftMs, option: "budgetMs" };
      return callHook<void>(of(phase), () => step[phase]!(context), { ...how, limit });
    });
  const [identify, weigh] = [wait("identify"), wait("weigh")];
  return {
    name,
    waits: waits === true,
    ...(typeof challengedBy === "string" && { challengedBy }),
    ...(identify && { identify }),
    ...(weigh && { weigh }),
    ...(step.before && {
      before: (context) =>
        callSyncHook(of("before"), () => step.before!(context), { ...how, expects: reading() }),
    }),
    ...(step.judge && {
      judge: (judged, soFar) =>
        callSyncHook(of("judge"), () => step.judge!(judged, soFar), {
          ...how,
          expects: reading(soFar),
        }),
    }),
    ...(step.confirm && {
      confirm: (context, verdict) => {
        const limit = { ms: budgetMs, option: "budgetMs" };
        const call = (): unknown => step.confirm!(context, verdict);
        return callHook(of("confirm"), call, { ...how, expects: reading(verdict), limit });
      },
    }),
    ...(step.decided && {
      decided: (decision, context) =>
        void callHook(of("decided"), () => step.decided!(decision, context), how),
    }),
    ...(step.aborted && {
      aborted: (context) => void callHook(of("aborted"), () => step.aborted!(context), how),
    }),
  };
}

/** Reads a step's verdict; the decision is named after the step unless the verdict names a rule. */
function readVerdict(value: unknown, name: string, budgetMs: number): Verdict | undefined {
  if (value === undefined) return undefined;
  const { outcome, because, rule = { name }, enforce } = (value ?? {}) as Partial<Verdict>;
  const isKnown = OUTCOMES.includes(outcome!) && BECAUSE.includes(because!);
  if (!outcome || !because || !isKnown || typeof rule?.name !== "string") {
    throw new TypeError("expected undefined, or a verdict with `outcome` and `because`");
  }
  if (!enforce) return { outcome, because, rule };
  return {
    outcome,
    because,
    rule,
    enforce(context, decision) {
      const passed = enforce(context, decision);
      if (!isThenable(passed)) return passed;
      return limitTime(passed, budgetMs, () => {
        throw new TypeError("`enforce` did not settle within `budgetMs`");
      });
    },
  };
}
