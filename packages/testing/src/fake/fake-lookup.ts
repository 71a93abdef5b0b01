import {
  type EmailAssessment,
  type ErrorCode,
  type Fault,
  type IpAssessment,
  type LookupOptions,
  type RiskLookup,
  RiskGateError,
  type Scored,
} from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { emailProblem, normalizeIp } from "@riskgate/core/address";
import { type AnswerTable, createAnswerTable, type FakeAnswer, membersOf } from "./answer-table.js";
import { fakeEmailAssessment, fakeIpAssessment } from "./fake-assessment.js";

export interface LookupCall {
  readonly type: "ip" | "email";
  /** As given; an IP address in its normal form. */
  readonly value: string;
  readonly aborted: boolean;
}

/** A lookup with fixed results. */
export interface FakeLookup extends RiskLookup {
  /** Every valid lookup so far, in order. */
  readonly calls: readonly LookupCall[];
  set(identifier: string, answer: FakeAnswer<Fault>): void;
}

export interface FakeLookupOptions {
  /** Result for every other identifier; default a score of 0. */
  readonly otherwise?: FakeAnswer<Fault>;
  /** Also offers a peek, as if every result without fault and delay were cached; default false. */
  readonly inMemory?: boolean;
}

const CODES: Readonly<Record<Fault, ErrorCode>> = {
  timeout: "TIMEOUT",
  network: "NETWORK",
  rate_limited: "RATE_LIMITED",
  unauthorized: "UNAUTHORIZED",
  server: "UPSTREAM_STATUS",
  unreadable: "INVALID_RESPONSE",
};

/**
 * Creates a lookup with fixed results, by identifier.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid result. Lookups reject like those of a
 * client: INVALID_ARGUMENT, ABORTED, and the code of the fault.
 * @example
 * const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
 */
export function createFakeLookup(
  answers: Readonly<Record<string, FakeAnswer<Fault>>> = {},
  options: FakeLookupOptions = {},
): FakeLookup {
  const { otherwise, inMemory } = readOptions("createFakeLookup", options, (read) => ({
    otherwise: (read.value("otherwise") ?? {}) as FakeAnswer<Fault>,
    inMemory: read.boolean("inMemory", false),
  }));
  const table = createAnswerTable(Object.keys(CODES) as Fault[], answers, otherwise);
  const calls: { type: "ip" | "email"; value: string; aborted: boolean }[] = [];

  const ask = async (
    type: "ip" | "email",
    value: string,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> => {
    if (signal?.aborted) throw aborted();
    const answer = table.find(value);
    const call = { type, value, aborted: false };
    calls.push(call);
    if (answer.delayMs) {
      await pause(answer.delayMs, signal).catch((error: unknown) => {
        call.aborted = true;
        throw error;
      });
    }
    if (answer.fault) throw faultError(answer.fault);
    return membersOf(answer);
  };

  return {
    calls,
    set: table.set,
    async lookupIp(ip, { signal }: LookupOptions = {}) {
      const address = checkedIp(ip);
      return fakeIpAssessment(address, await ask("ip", address, signal));
    },
    async lookupEmail(email, { signal }: LookupOptions = {}) {
      return fakeEmailAssessment(checkedEmail(email), await ask("email", email, signal));
    },
    ...(inMemory && peeks(table)),
  };
}

function peeks(table: AnswerTable<Fault>): Pick<RiskLookup, "peekIp" | "peekEmail"> {
  const known = (identifier: string): Record<string, unknown> | undefined => {
    const answer = table.find(identifier);
    return answer.fault || answer.delayMs ? undefined : membersOf(answer);
  };
  const scored = <T>(assessment: T): Scored<T> => ({
    state: "scored",
    assessment,
    source: "cache",
  });
  return {
    peekIp(ip): Scored<IpAssessment> | undefined {
      const address = normalizeIp(ip);
      const members = address && known(address);
      return members ? scored(fakeIpAssessment(address, members)) : undefined;
    },
    peekEmail(email): Scored<EmailAssessment> | undefined {
      const members = emailProblem(email) ? undefined : known(email);
      return members && scored(fakeEmailAssessment(email, members));
    },
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(aborted());
    };
    const timer =
      ms === Infinity
        ? undefined
        : setTimeout(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function faultError(fault: Fault): RiskGateError {
  return new RiskGateError(CODES[fault], `the fake lookup was set to fail with "${fault}"`, {
    ...(fault === "rate_limited" && { status: 429, retryAfterMs: 1000 }),
    ...(fault === "unauthorized" && { status: 401 }),
    ...(fault === "server" && { status: 503 }),
  });
}

function aborted(): RiskGateError {
  return new RiskGateError("ABORTED", "the caller ended the lookup");
}

function checkedIp(ip: unknown): string {
  const address = normalizeIp(ip);
  if (address !== undefined) return address;
  throw new RiskGateError("INVALID_ARGUMENT", "expected an IP address");
}

function checkedEmail(email: string): string {
  const problem = emailProblem(email);
  if (problem === undefined) return email;
  throw new RiskGateError("INVALID_ARGUMENT", `the address cannot be looked up: ${problem}`);
}
