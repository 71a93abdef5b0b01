import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import { channelStep } from "../decision/decision-channel.js";
import { createEvidenceSource, type EvidenceSource } from "../decision/evidence-source.js";
import { type LookupOption, readLookup } from "../decision/lookup-option.js";
import { type PolicyOptions, readPolicy } from "../decision/policy.js";
import type { Step } from "../decision/step.js";
import { type ListsOptions, readLists } from "../lists/lists-step.js";
import { type DecisionLog, readLogStep } from "../log/log-step.js";
import { listedRules } from "../rules/listed-rules.js";
import { readRules, type RulesOption } from "../rules/rules-step.js";
import { readVelocityStep, type VelocityOption } from "../velocity/velocity-step.js";
import { readCustomSteps } from "./custom-steps.js";

export interface GateOptions
  extends LookupOption, PolicyOptions, ListsOptions, RulesOption, VelocityOption {
  /** Time limit for both lookups together, in milliseconds; default 800. */
  readonly budgetMs?: number;
  /** Also look up addresses that are not globally reachable; default false. */
  readonly lookupPrivateIps?: boolean;
  /** Stores every decision, to rehearse new thresholds (`docs/rehearsal.md`); default none. */
  readonly log?: DecisionLog;
  /** Additional steps, evaluated after the thresholds (`docs/steps.md`); default none. */
  readonly steps?: readonly Step[];
  /** Receives each error that causes missing evidence; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

export interface GateSettings {
  readonly budgetMs: number;
  /** Points of subjects that others can fill never raise the score above this. */
  readonly rejectAbove: number;
  readonly report: ErrorHook;
  /** False in observe mode. */
  readonly enforced: boolean;
  readonly source: EvidenceSource;
  readonly steps: readonly Step[];
}

/** @throws {RiskGateError} CONFIG_INVALID for any unusable option. */
export function readGate(options: OptionReader): GateSettings {
  const lookup = readLookup(options);
  const report = createErrorReport(options.function<ErrorHook>("onError"));
  const budgetMs = options.durationMs("budgetMs", 800);
  const policy = readPolicy(options, report);
  const steps = [
    readLists(options, report),
    readVelocityStep(options, report),
    readRules(options, report, listedRules),
    policy,
    ...readCustomSteps(options, report, budgetMs),
    channelStep,
    readLogStep(options, policy.terms, report),
  ];
  const source = createEvidenceSource({
    lookup,
    lookupPrivateIps: options.boolean("lookupPrivateIps", false),
    report,
  });
  return {
    budgetMs,
    rejectAbove: policy.terms.rejectAbove,
    report,
    enforced: policy.enforced,
    source,
    steps: steps.filter((step) => step !== undefined),
  };
}
