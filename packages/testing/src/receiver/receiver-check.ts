import { sign } from "@riskgate/core";
import {
  type ConformanceCheck,
  conformanceCheck,
  type Deviation,
  type RuleLevel,
} from "../conformance/conformance-check.js";
import { ACCEPTED, type Expectation } from "../conformance/expectation.js";
import { type Probe, type ProbeAnswer, sendProbe } from "../conformance/probe.js";
import { wordsOfAnswer, wordsOfProbe } from "../conformance/words.js";
import { createDeliveryKit, type DeliveryKit } from "./delivery-kit.js";
import type { ReceiverTarget } from "./receiver-target.js";

interface ReceiverRule {
  readonly id: string;
  readonly level: RuleLevel;
  /** Behaviour of a receiver, starting with a present-tense verb. */
  readonly title: string;
  readonly remedy: string;
  readonly expected: Expectation | ((timeoutMs: number) => Expectation);
  readonly probes: (kit: DeliveryKit) => readonly Probe[];
  /** Sends all requests concurrently; by default sequentially. */
  readonly atOnce?: true;
  /** Waits as long as a slow body may take. */
  readonly isSlow?: true;
}

const TIMEOUT_MS = 10_000;
const SLOW_MS = 30_000;
const MIN_TELLING = 8;

/**
 * Creates a check of a rule. In addition, no response may contain the secret or the signature of
 * the body, and after a missing response a valid delivery must be accepted.
 */
export function receiverCheck(rule: ReceiverRule): ConformanceCheck<ReceiverTarget> {
  const { id, level, title, remedy } = rule;
  const examine: ConformanceCheck<ReceiverTarget>["examine"] = async (target) => {
    const { url, secret, timeoutMs = TIMEOUT_MS, slowMs = SLOW_MS } = target;
    const kit = createDeliveryKit(secret);
    const rules = typeof rule.expected === "function" ? rule.expected(timeoutMs) : rule.expected;
    const deviations: Deviation[] = [];
    let isQuiet = false;
    const send = async (probe: Probe, expected: Expectation, waitMs: number): Promise<void> => {
      const answer = await sendProbe(url, probe, waitMs);
      if (answer.status === undefined) isQuiet = true;
      const isTold = tells(answer, probe, secret);
      if (expected.holds(answer) && !isTold) return;
      deviations.push({
        sent: wordsOfProbe(probe),
        expected: isTold
          ? "an answer that contains neither the secret nor the digest"
          : expected.words,
        received: isTold ? "an answer that contains one of them" : wordsOfAnswer(answer),
      });
    };
    const probes = rule.probes(kit);
    const all = (waitMs: number) => async (probe: Probe) => send(probe, rules, waitMs);
    const sendOne = all(rule.isSlow ? slowMs : timeoutMs);
    if (rule.atOnce) await Promise.all(probes.map(sendOne));
    else for (const probe of probes) await sendOne(probe);
    const alive = kit.signed("a good delivery after that", [kit.make.test()]);
    if (isQuiet) await send(alive, ACCEPTED, timeoutMs);
    return { deviations };
  };
  return conformanceCheck({ id, level, title, remedy, examine });
}

function tells(
  { text, headers }: ProbeAnswer,
  { body }: Probe,
  secret: ReceiverTarget["secret"],
): boolean {
  const shown = text + JSON.stringify(headers);
  const secretText = Buffer.from(secret).toString();
  // A response may contain a short secret by chance.
  const isSecretTold = secretText.length >= MIN_TELLING && shown.includes(secretText);
  return isSecretTold || (body !== undefined && shown.includes(sign(body, secret)));
}
