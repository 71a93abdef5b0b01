import { mailboxOf } from "../address/mailbox.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { problemReply } from "../base/problem.js";
import type { ChallengeSettings } from "./challenge-options.js";
import type { TokenScope } from "./challenge-token.js";
import { clientNetwork } from "./client-network.js";
import { useUp } from "./single-use.js";
import type { Decision } from "../model/decision.js";
import { NOT_GIVEN } from "../decision/evidence.js";
import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import { countdown, type HookRun, settled, type TimeLeft } from "../decision/hook-run.js";
import { writeRefusal } from "../decision/refusal.js";

/** What a client has to answer before its request passes. */
export interface Challenge {
  /**
   * Comes back with the answer: in the header `X-Challenge-Token`, or as the member `challengeToken` of
   * the body. It is valid once, for the same email, network, method and path.
   */
  readonly token: string;
  /** When the token stops being valid. */
  readonly expiresAt: Date;
  /**
   * The token that came with this request: none; an invalid one, that is a wrong, used or expired one or
   * one of another request; or a valid one, but `verifyChallenge` did not confirm the answer.
   */
  readonly earlier: "none" | "invalid" | "failed";
}

/** Who makes a request, as the gate has read it. */
interface Identity {
  readonly ip?: unknown;
  readonly email?: unknown;
}

/** What a step-up works with. */
export interface StepUpSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly challenge: ChallengeSettings;
  readonly verifyChallenge: (...args: Args) => unknown;
  readonly onChallenge:
    ((decision: Decision, challenge: Challenge, ...args: Args) => unknown) | undefined;
  /** How long `onChallenge` may take. */
  readonly budgetMs: number;
  readonly run: HookRun;
  readonly report: ErrorHook;
}

/** Asks clients for more, and hears what they answer. */
export interface StepUp<Args extends readonly [unknown, ...unknown[]]> {
  /** Whether the request answers a challenge. Never rejects. */
  check(gated: GatedRequest<Args>, identity: Identity): Promise<"passed" | Challenge["earlier"]>;
  /** Answer the request with a challenge. */
  ask(
    gated: GatedRequest<Args>,
    identity: Identity,
    decision: Decision,
    earlier: Challenge["earlier"],
  ): Promise<void>;
}

/** Header and body member of a token. */
const TOKEN_HEADER = "x-challenge-token";
const TOKEN_MEMBER = "challengeToken";

/** What each request has passed: a second gate with the same secret does not ask again. */
const passed = new WeakMap<RequestHead, string>();

/** Make the step-up of one gate. */
export function createStepUp<Args extends readonly [unknown, ...unknown[]]>(
  settings: StepUpSettings<Args>,
): StepUp<Args> {
  const { challenge, verifyChallenge, onChallenge, budgetMs, run, report } = settings;
  const { issuer, uses, timeoutMs } = challenge;

  const isFirstUse = async (nonce: string, left: TimeLeft): Promise<boolean> => {
    try {
      return await settled(useUp(uses, nonce), "challenge.seen", left);
    } catch (cause) {
      report(new RiskGateError("STORE_FAILED", "the store of challenge tokens failed", { cause }));
      return false;
    }
  };
  const isConfirmed = async (gated: GatedRequest<Args>, left: TimeLeft): Promise<boolean> => {
    const answer = await run("verifyChallenge", () => verifyChallenge(...gated.args), left);
    if (typeof answer !== "boolean" && answer !== NOT_GIVEN) {
      const cause = new TypeError("expected true or false, or a promise of one of them");
      report(new RiskGateError("HOOK_FAILED", "`verifyChallenge` failed", { cause }));
    }
    return answer === true;
  };

  return {
    async check(gated, identity) {
      const token = tokenOf(gated);
      if (token === undefined) return "none";
      const nonce = issuer.nonceOf(token, scopeOf(gated, identity));
      if (nonce === undefined) return "invalid";
      if (passed.get(gated.request) === nonce) return "passed";
      const leftMs = countdown(timeoutMs);
      const left = (): TimeLeft => ({ ms: leftMs(), option: "challenge.timeoutMs" });
      // Used up before the answer is heard: whatever goes wrong after this, nobody can try it again.
      if (!(await isFirstUse(nonce, left()))) return "invalid";
      if (!(await isConfirmed(gated, left()))) return "failed";
      passed.set(gated.request, nonce);
      return "passed";
    },
    async ask(gated, identity, decision, earlier) {
      const { token, expiresMs } = issuer.issue(scopeOf(gated, identity));
      const reply = problemReply("CHALLENGE_REQUIRED", {}, { [TOKEN_MEMBER]: token });
      if (!onChallenge) {
        gated.sendReply(reply);
        return;
      }
      const asked: Challenge = { token, expiresAt: new Date(expiresMs), earlier };
      const write = () => onChallenge(decision, asked, ...gated.args);
      await writeRefusal({
        gated,
        hook: "onChallenge",
        write,
        reply,
        timeoutMs: budgetMs,
        report,
      });
    },
  };
}

/** The token that a client sends back: a form has no headers, and a script need not touch the body. */
function tokenOf({ request, body }: GatedRequest): unknown {
  const isObject = typeof body === "object" && body !== null;
  const member: unknown =
    isObject && Object.hasOwn(body, TOKEN_MEMBER)
      ? (body as Readonly<Record<string, unknown>>)[TOKEN_MEMBER]
      : undefined;
  return request.headers[TOKEN_HEADER] ?? member;
}

function scopeOf({ request, url = request.url }: GatedRequest, identity: Identity): TokenScope {
  const { ip, email } = identity;
  const hasEmail = typeof email === "string" && email !== "";
  return {
    method: request.method ?? "",
    path: (url ?? "").split("?", 1).join(""),
    network: clientNetwork(ip),
    // Without the rules of mail providers: where they are wrong, two people would share a token.
    mailbox: hasEmail ? mailboxOf(email, false) : null,
  };
}
