import { mailboxOf } from "../address/mailbox.js";
import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { limitTime } from "../base/time-limit.js";
import { countdown } from "../decision/countdown.js";
import type { GateContext } from "../decision/gate-context.js";
import type { GatedRequest } from "../decision/gated-request.js";
import { perRequest } from "../decision/per-request.js";
import { refusalOf, writeRefusal } from "../decision/refusal.js";
import type { Step, Verdict } from "../decision/step.js";
import type { Awaitable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import { textOf } from "../model/fact.js";
import type { ChallengeSettings } from "./challenge-options.js";
import type { TokenScope } from "./challenge-token.js";
import { clientNetwork } from "./client-network.js";
import { useUp } from "./single-use.js";

/** A challenge that a client must answer before its request passes. */
export interface Challenge {
  /**
   * The client returns it when it retries the request: in the header `X-Challenge-Token`, or as the
   * body member `challengeToken`. Valid once, for the same email, network, method and path.
   */
  readonly token: string;
  /** When the token expires. */
  readonly expiresAt: Date;
  /**
   * Token sent with this request: `none`; `invalid` if wrong, used, expired or issued for another
   * request; `failed` if it is valid, but `verifyChallenge` did not accept the response; `limited`
   * if it is valid and unused, but the client's network has used too many tokens for now.
   */
  readonly earlier: "none" | "invalid" | "failed" | "limited";
  /** The task of `challenge.proof`; absent without one. */
  readonly task?: object;
}

export interface ChallengeStepSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly challenge: ChallengeSettings;
  readonly verifyChallenge: ((...args: Args) => unknown) | undefined;
  readonly onChallenge:
    ((decision: Decision, challenge: Challenge, ...args: Args) => unknown) | undefined;
  /** Time limit for `onChallenge`, in milliseconds. */
  readonly budgetMs: number;
  readonly report: ErrorHook;
}

/** Request header and body member that carry a token. */
const TOKEN_HEADER = "x-challenge-token";
const TOKEN_MEMBER = "challengeToken";

const PROOF = "`challenge.proof`";
const LIMIT = "challenge.timeoutMs";

/** The token that a request passed with: a second gate with the same secret accepts it too. */
const passOf = perRequest<typeof TOKENS, { nonce?: string }>(() => ({}));
const TOKENS = {};

/** The step that issues challenges and verifies the responses. */
export class ChallengeStep<Args extends readonly [unknown, ...unknown[]]> implements Step {
  readonly name = "challenge";
  readonly #settings: ChallengeStepSettings<Args>;

  constructor(settings: ChallengeStepSettings<Args>) {
    this.#settings = settings;
  }

  confirm(context: GateContext, verdict: Verdict): Promise<Verdict> | undefined {
    if (verdict.outcome !== "challenge" || !context.gated) return undefined;
    return this.#confirm(context.gated, scopeOf(context.gated, context), verdict);
  }

  async #confirm(gated: GatedRequest, scope: TokenScope, verdict: Verdict): Promise<Verdict> {
    // If a status alone counts as a response, middleware may have set one earlier.
    const wasAnswered = gated.isAnswered();
    const answer = await this.#check(gated, scope);
    // If a hook has sent a response, or the client has disconnected, nothing remains to be done.
    const isOver = (): boolean => gated.response.destroyed || (gated.isAnswered() && !wasAnswered);
    if (answer === "passed") {
      const because = "challenge_passed";
      return { ...verdict, outcome: "allow", because, enforce: () => !isOver() };
    }
    return {
      ...verdict,
      enforce: async (_, decision) => {
        if (!isOver()) await this.#ask(gated, scope, decision, answer);
        return false;
      },
    };
  }

  /** Checks whether a request meets a challenge. Never rejects. */
  async #check(gated: GatedRequest, scope: TokenScope): Promise<"passed" | Challenge["earlier"]> {
    const { challenge } = this.#settings;
    const token = gated.request.headers[TOKEN_HEADER] ?? memberOf(gated, TOKEN_MEMBER);
    if (token === undefined) return "none";
    const valid = await challenge.issuer.verify(token, scope);
    if (!valid) return "invalid";
    const pass = passOf(gated.request, TOKENS);
    if (pass.nonce === valid.nonce) return "passed";
    const leftMs = countdown(challenge.timeoutMs);
    // Used up before the response is verified, so that a failed check cannot be retried.
    const use = await this.#store(() => useUp(challenge.uses, valid), leftMs());
    if (use !== "new") return use === "full" ? "limited" : "invalid";
    if (!(await this.#isSolved(gated, token as string, leftMs))) return "failed";
    pass.nonce = valid.nonce;
    await this.#store(async () => challenge.uses.solve(valid), leftMs());
    return "passed";
  }

  async #isSolved(gated: GatedRequest, token: string, leftMs: () => number): Promise<boolean> {
    const { challenge, verifyChallenge, report } = this.#settings;
    const { proof } = challenge;
    const isTrue = (name: string, call: () => unknown): Awaitable<boolean> => {
      const limit = { ms: leftMs(), option: LIMIT };
      return callHook(name, call, { report, expects: readBoolean, otherwise: false, limit });
    };
    const isProven =
      !proof || (await isTrue(PROOF, () => proof.verify(memberOf(gated, proof.member), token)));
    if (!isProven || !verifyChallenge) return isProven;
    return isTrue("`verifyChallenge`", () => verifyChallenge(...(gated.args as Args)));
  }

  /** Calls the store; undefined if it fails. */
  async #store<Answer>(call: () => Promise<Answer>, leftMs: number): Promise<Answer | undefined> {
    try {
      return await limitTime(call(), leftMs, () => {
        throw new TypeError(`\`challenge.seen\` did not settle within \`${LIMIT}\``);
      });
    } catch (cause) {
      const message = "the challenge token store failed";
      this.#settings.report(new RiskGateError("STORE_FAILED", message, { cause }));
      return undefined;
    }
  }

  async #ask(
    gated: GatedRequest,
    scope: TokenScope,
    decision: Decision,
    earlier: Challenge["earlier"],
  ): Promise<void> {
    const { challenge, onChallenge, budgetMs: timeoutMs, report } = this.#settings;
    const { token, expiresMs } = await challenge.issuer.issue(scope);
    const expiresAt = new Date(expiresMs);
    const { proof } = challenge;
    const task =
      proof && earlier !== "limited"
        ? await callHook<object | undefined>(
            PROOF,
            () => proof.create({ token, expiresAt, score: decision.score ?? 0 }),
            { report, otherwise: undefined, limit: { ms: timeoutMs, option: "budgetMs" } },
          )
        : undefined;
    const reply =
      earlier === "limited"
        ? refusalOf("CHALLENGE_LIMITED", decision, { "retry-after": "60" })
        : refusalOf(
            "CHALLENGE_REQUIRED",
            decision,
            {},
            {
              [TOKEN_MEMBER]: token,
              ...(proof && task && { [proof.member]: task }),
            },
          );
    if (!onChallenge) {
      gated.sendReply(reply);
      return;
    }
    const asked: Challenge = { token, expiresAt, earlier, ...(task && { task }) };
    const write = () => onChallenge(decision, asked, ...(gated.args as Args));
    await writeRefusal({ gated, hook: "onChallenge", write, reply, timeoutMs, report });
  }
}

function readBoolean(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  throw new TypeError("expected true or false, or a promise of one of them");
}

/** Part of `BodyReadings`, whose file would make the chain of imports too long. */
interface Unparsed {
  emailAt(path: readonly string[]): { readonly fact: unknown };
}

/** Returns a member of the body. */
function memberOf({ body }: GatedRequest, name: string): unknown {
  const isObject = typeof body === "object" && body !== null;
  const members = (isObject ? body : {}) as Readonly<Record<string, unknown>> & Partial<Unparsed>;
  const own = Object.hasOwn(members, name) ? members[name] : undefined;
  const isUnparsed = typeof members.emailAt === "function";
  return isUnparsed ? members.emailAt!([name]).fact : own;
}

function scopeOf(
  { request, url = request.url }: GatedRequest,
  { ip, email }: GateContext,
): TokenScope {
  const address = textOf(email);
  return {
    method: request.method ?? "",
    path: (url ?? "").split("?", 1).join(""),
    network: clientNetwork(ip),
    // Without provider rules: if one is wrong, two people would share a token.
    mailbox: address === undefined ? null : mailboxOf(address, false),
  };
}
