import { callHook, callSyncHook, hookError } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import type { GateContext } from "../decision/gate-context.js";
import { perRequest } from "../decision/per-request.js";
import { isStopped, type Step } from "../decision/step.js";
import { after, type Awaitable } from "../model/awaitable.js";
import { ABSENT, textOf } from "../model/fact.js";
import type { LoginsAhead, Velocity, VelocityFacts } from "../model/velocity.js";
import { isVelocityReading, type VelocityReading } from "../model/velocity-reading.js";

export interface VelocityOption {
  /**
   * Counts requests by mailbox, address, network, domain and autonomous system, and adds points to
   * the score if there are too many; as created by `createVelocity()`.
   */
  readonly velocity?: Velocity;
}

type Reading = Awaitable<VelocityReading | undefined>;

/** Readings by the identifiers of a request, so that a second gate does not count it again. */
const readingsOf = perRequest<Velocity, Map<string, Reading>>(() => new Map());

/**
 * Reads the option `velocity`. If the velocity fails or is late, the failure is reported and this
 * process's own counts are used.
 * @throws {RiskGateError} CONFIG_INVALID for any other value.
 */
export function readVelocityStep(options: OptionReader, report: ErrorHook): Step | undefined {
  const expected = "a velocity, as created by createVelocity()";
  const velocity = options.object<Velocity>("velocity", ["count", "read"], expected);
  if (!velocity) return undefined;

  const ask = (facts: VelocityFacts, leftMs: number, ahead?: LoginsAhead): Reading => {
    const isCounted = velocity.counts === "signups";
    // An event whose result arrives after the budget is still counted.
    const answer = callHook<VelocityReading | "failed" | undefined>(
      "`velocity`",
      () => (isCounted ? velocity.count(facts) : velocity.read(facts, ahead)),
      {
        report,
        expects: readReading,
        otherwise: "failed",
        limit: { ms: leftMs, option: "budgetMs" },
        reportsOwn: true,
      },
    );
    return after(answer, (reading) =>
      reading === "failed" ? ofThisProcess(facts, ahead) : reading,
    );
  };
  const ofThisProcess = (facts: VelocityFacts, ahead?: LoginsAhead): VelocityReading | undefined =>
    callSyncHook("`readAlone` of the velocity", () => velocity.readAlone?.(facts, ahead), {
      // `velocity` already reports its failures.
      report: () => {},
      expects: readReading,
      otherwise: undefined,
    });

  return {
    name: "velocity",
    waits: !velocity.isSync,
    weigh(context) {
      // A known device has a separate budget, which others never affect.
      if (context.evidence.device === "known" && velocity.counts === "failed_logins") return;
      const readings = context.scope && readingsOf(context.scope, velocity);
      const facts = factsOf(context, velocity, report);
      const from = context.isChoosing ? "one of several" : (facts.ip ?? "");
      const key = `${from} ${facts.email ?? ""}`;
      const known = readings?.has(key);
      const { request, leftMs } = context;
      // Without an email, nobody logs in.
      const isLogin = request && context.email !== ABSENT;
      const ahead = isLogin ? velocity.begin?.(request, facts) : undefined;
      const reading = known ? readings?.get(key) : ask(facts, leftMs, ahead);
      if (!known) readings?.set(key, reading);
      return after(reading, (found) => {
        if (found) context.addVelocity(found);
      });
    },
    ...(velocity.end && {
      decided: (decision, { request }) => {
        if (request && isStopped(decision)) velocity.end!(request);
      },
      aborted: ({ request }) => request && velocity.end!(request),
    }),
  };
}

function factsOf(context: GateContext, velocity: Velocity, report: ErrorHook): VelocityFacts {
  const { ip, email, evidence, crossSite, gated, scope, isChoosing } = context;
  const subject = gated ? gated.args[0] : scope;
  // Counted once for each request, however many emails it has.
  const keys = isChoosing
    ? undefined
    : velocity.keysOf?.(subject, (name, cause) => report(hookError(name, cause)));
  const asn = evidence.ip.state === "scored" ? evidence.ip.assessment.asn : undefined;
  return {
    email: textOf(email),
    ip: textOf(ip),
    ...(typeof asn === "number" && { asn }),
    ...(crossSite && { crossSite }),
    ...(keys && { keys }),
  };
}

function readReading(answer: unknown): VelocityReading | undefined {
  if (answer === undefined || isVelocityReading(answer)) return answer;
  throw new TypeError("expected `adds` from 0 to 100 with its `signals`, or undefined");
}
