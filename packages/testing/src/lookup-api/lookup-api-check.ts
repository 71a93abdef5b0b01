import { setTimeout as pause } from "node:timers/promises";
import {
  type ConformanceCheck,
  conformanceCheck,
  type Deviation,
  type RuleLevel,
} from "../conformance/conformance-check.js";
import { type Lines, type ProbeAnswer, sendProbe } from "../conformance/probe.js";
import type { LookupApiTarget } from "./lookup-api-target.js";
import type { Verdict } from "./verdict.js";

export interface Question {
  readonly sent: string;
  /** Path below the base URL, unchanged: `/v1/ips/8.8.8.8`. */
  readonly path: string;
  /** Default GET. */
  readonly method?: string;
  /** Header lines with the key, or instead of it; default the correct key. */
  readonly keys?: (apiKey: string) => Lines;
  readonly verdict: Verdict;
}

interface LookupApiRule {
  readonly id: string;
  readonly level: RuleLevel;
  /** Behaviour of an API, starting with a present-tense verb. */
  readonly title: string;
  readonly remedy: string;
  readonly questions: readonly Question[];
}

const TIMEOUT_MS = 10_000;
const MAX_WAITS = 3;
const MAX_WAIT_SECONDS = 10;

function withKey(apiKey: string): Lines {
  return [["X-API-Key", apiKey]];
}

export function lookupApiCheck(rule: LookupApiRule): ConformanceCheck<LookupApiTarget> {
  const { id, level, title, remedy, questions } = rule;
  return conformanceCheck({
    id,
    level,
    title,
    remedy,
    async examine(target) {
      const deviations: Deviation[] = [];
      for (const question of questions) {
        const { sent, method = "GET", path, verdict } = question;
        const found = verdict(await askPatiently(target, question));
        if (found) deviations.push({ sent: `${sent} (${method} ${path.slice(0, 120)})`, ...found });
      }
      return { deviations };
    },
  });
}

export async function ask(target: LookupApiTarget, question: Question): Promise<ProbeAnswer> {
  const { url, apiKey, timeoutMs = TIMEOUT_MS } = target;
  const { sent, method = "GET", path, keys = withKey } = question;
  const base = url.pathname.replace(/\/+$/, "");
  const headers: Lines = [["Accept", "application/json"], ...keys(apiKey)];
  const answer = await sendProbe(url, { sent, method, path: base + path, headers }, timeoutMs);
  // Reports show responses, and may be shared.
  return { ...answer, text: answer.text.replaceAll(apiKey, "(the API key)") };
}

/** Sends a request, and repeats it after a while if the response is 429. */
export async function askPatiently(
  target: LookupApiTarget,
  question: Question,
): Promise<ProbeAnswer> {
  for (let waits = 0; ; waits++) {
    const answer = await ask(target, question);
    if (answer.status !== 429 || waits === MAX_WAITS) return answer;
    const seconds = Number(answer.headers["retry-after"] ?? 1);
    await pause(1000 * (seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : MAX_WAIT_SECONDS));
  }
}
