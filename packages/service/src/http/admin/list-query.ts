import type { FlagName } from "@riskgate/core";
import type { FastifyRequest } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { type Instant, systemClock } from "../../model/instant.js";
import type { Subject } from "../../model/subject.js";
import { readSubject } from "./read-subject.js";

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Maximum number of entries in one list. */
const MAX_LIMIT = 1_000;

const DEFAULT_LIMIT = 100;

/** Maximum length of a searched text: that of an email address. */
const MAX_SEARCH = 320;

/**
 * Reads a list's query and rejects unknown names, because a misspelled filter would show everything.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT for an invalid value, and for an unknown name.
 */
export function readQuery<T>(request: FastifyRequest, read: (query: ListQuery) => T): T {
  const query = new ListQuery(request);
  const found = read(query);
  query.refuseOthers();
  return found;
}

class ListQuery {
  readonly #reader: MemberReader;

  constructor({ query }: FastifyRequest) {
    const members = Object.entries(query as Readonly<Record<string, unknown>>);
    // Numbers in a query are text.
    const read = members.map(([name, value]): [string, unknown] => [
      name,
      typeof value === "string" && /^\d{1,16}$/.test(value) && NUMBERS.includes(name)
        ? Number(value)
        : value,
    ]);
    this.#reader = new MemberReader(Object.fromEntries(read), "the query");
  }

  get limit(): number {
    return this.#reader.whole("limit", 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
  }

  refuseOthers(): void {
    this.#reader.refuseOthers();
  }

  /** Reads the parameters that every list has: limit, application and page. */
  page(): {
    readonly limit: number;
    readonly applicationId?: string;
    readonly beforeSeq?: number;
  } {
    const applicationId = this.text("applicationId");
    const beforeSeq = this.whole("beforeSeq");
    return { limit: this.limit, ...this.given({ applicationId, beforeSeq }) };
  }

  /** Reads the period of a list, `since` and `until`. */
  period(): { readonly since?: Instant; readonly until?: Instant } {
    const now = systemClock();
    const time = (name: string): Instant | undefined =>
      this.#reader.value(name) === undefined ? undefined : this.#reader.instant(now, name);
    return this.given({ since: time("since"), until: time("until") });
  }

  text(name: string): string | undefined {
    return this.#reader.text(name, 128);
  }

  /** Reads the text of a search, `q`. */
  search(): string {
    return this.#reader.line("q", MAX_SEARCH) ?? this.#reader.missing("q");
  }

  /** Reads an address from `ip` or an account from `account`. */
  subject(): Subject | undefined {
    return readSubject(this.#reader);
  }

  /** Reads the digest of an identifier in decision logs. */
  digest(): string | undefined {
    const digest = this.#reader.text("digest", 32);
    if (digest === undefined || /^[0-9a-f]{32}$/.test(digest)) return digest;
    return this.#reader.refuse("digest", "32 hex digits");
  }

  given<T extends object>(members: T): Given<T> {
    const entries = Object.entries(members).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as Given<T>;
  }

  whole(name: "beforeSeq"): number | undefined {
    return this.#reader.whole(name, 0, Number.MAX_SAFE_INTEGER);
  }

  /** Reads a threshold: a whole number from 0 to 100. */
  score(name: "flagAbove" | "challengeAbove" | "rejectAbove"): number | undefined {
    return this.#reader.whole(name, 0, 100);
  }

  /** Reads flag names, separated by commas; their consumer checks them. */
  flags(name: "reject" | "challenge" | "flag"): readonly FlagName[] | undefined {
    return this.#reader.text(name, MAX_FLAGS)?.split(",") as FlagName[] | undefined;
  }

  flag(name: "open"): boolean | undefined {
    const word = this.#reader.word(name, ["true", "false"]);
    return word === undefined ? undefined : word === "true";
  }

  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#reader.word(name, words);
  }
}

/** Maximum length of a list of flags, in characters. */
const MAX_FLAGS = 200;

const NUMBERS: readonly string[] = [
  "limit",
  "beforeSeq",
  "flagAbove",
  "challengeAbove",
  "rejectAbove",
];
