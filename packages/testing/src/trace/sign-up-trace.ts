export interface TracedSignUp {
  /** Time since the beginning of the trace, in milliseconds. */
  readonly atMs: number;
  readonly email: string;
  readonly ip: string;
  readonly kind: SignUpKind;
}

/** Source of a request: one of the ordinary crowds, or one of the two attacks. */
export type SignUpKind =
  "household" | "family" | "carrier" | "office" | "campus" | "alias_flood" | "network_flood";

export interface SignUpTraceOptions {
  /** Seed of the random numbers: equal seeds give equal traces. */
  readonly seed: number;
  /** Ordinary visitors in one day. */
  readonly visitors: number;
  /** Requests of attackers, as a share of all; default 0. Half of them come from one /64. */
  readonly attackShare?: number;
}

const HOUR_MS = 3_600_000;

const ALIASES = 100;

/**
 * Generates a day of visitors at a sign-up form, in order of time.
 *
 * Ordinary: arrivals follow the day (half the average at night, one and a half times in the
 * evening). Of 100 visitors, 63 are single households (one in three has IPv6), 3 are families of
 * two to five who sign up within ten minutes, 20 use the 200 addresses of carriers (drawn by Zipf's
 * law with exponent 0.8), 8 are in 300 offices with a domain and an address each, and 6 use 60
 * addresses of campuses. Once a day an office of 120 people and a campus event of 200 sign up
 * within an hour, from one address each. One visitor in ten sends the form again, up to three
 * times; one in fifty corrects the address. Seven addresses in ten belong to large providers, one
 * in twenty has a sub-address.
 *
 * Attack: one flood of fresh mailboxes from one /64 within an hour, and floods of 100 aliases of
 * one mailbox, each from another network and within an hour.
 */
export function createSignUpTrace(options: SignUpTraceOptions): readonly TracedSignUp[] {
  const { seed, visitors, attackShare = 0 } = options;
  const random = randomNumbers(seed);
  const trace: TracedSignUp[] = [];
  const visit = (kind: SignUpKind, atMs: number, ip: string, email: string): void => {
    trace.push({ atMs, email, ip, kind });
    if (random.isTrue(0.1)) {
      for (let again = random.below(3); again >= 0; again--) {
        trace.push({ atMs: atMs + 5_000 + random.below(120_000), email, ip, kind });
      }
    }
    if (random.isTrue(0.02)) {
      trace.push({ atMs: atMs + 30_000, email: mailOf(random), ip, kind });
    }
  };

  for (let count = 0; count < visitors; count++) {
    const atMs = timeOfDay(random);
    const share = random.number();
    if (share < 0.63) visit("household", atMs, homeOf(random), mailOf(random));
    else if (share < 0.66) {
      const ip = homeOf(random);
      for (let person = 2 + random.below(4); person > 0; person--) {
        visit("family", atMs + random.below(600_000), ip, mailOf(random));
      }
    } else if (share < 0.86) {
      const at = zipf(random, 200);
      visit("carrier", atMs, `100.128.${at >> 3}.${at & 7}`, mailOf(random));
    } else if (share < 0.94) {
      const office = random.below(300);
      visit("office", atMs, `80.${office >> 8}.${office & 255}.1`, officeMail(random, office));
    } else {
      const at = random.below(60);
      visit("campus", atMs, `130.${at >> 3}.7.${at & 7}`, mailOf(random));
    }
  }
  const eventMs = 10 * HOUR_MS;
  for (let person = 0; person < 120; person++) {
    visit("office", eventMs + random.below(HOUR_MS), "81.9.9.1", officeMail(random, 999));
  }
  for (let person = 0; person < 200; person++) {
    visit("campus", eventMs + random.below(HOUR_MS), "131.5.5.5", mailOf(random));
  }

  const attacks = Math.round((trace.length * attackShare) / (1 - attackShare));
  const floodMs = 14 * HOUR_MS;
  for (let count = 0; count < attacks / 2; count++) {
    const ip = `2600:3c00:99:7::${(count + 1).toString(16)}`;
    const atMs = floodMs + random.below(HOUR_MS);
    trace.push({ atMs, email: mailOf(random), ip, kind: "network_flood" });
  }
  for (let count = 0; count < attacks / 2; count++) {
    const flood = Math.floor(count / ALIASES);
    const email = aliasOf(`victim${flood}name`, count % ALIASES);
    const atMs = ((flood * 5) % 23) * HOUR_MS + random.below(HOUR_MS);
    trace.push({ atMs, email, ip: homeOf(random), kind: "alias_flood" });
  }
  return trace.toSorted((one, other) => one.atMs - other.atMs);
}

interface RandomNumbers {
  /** From 0 to below 1. */
  number(): number;
  below(bound: number): number;
  isTrue(probability: number): boolean;
}

function randomNumbers(seed: number): RandomNumbers {
  let state = seed >>> 0;
  const number = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x45d9f3b) >>> 0;
    mixed ^= mixed >>> 16;
    return (mixed >>> 0) / 2 ** 32;
  };
  return {
    number,
    below: (bound) => Math.floor(number() * bound),
    isTrue: (probability) => number() < probability,
  };
}

/**
 * Draws a time of the day in milliseconds, by rejection under a cosine with its maximum at 20:00.
 */
function timeOfDay(random: RandomNumbers): number {
  for (;;) {
    const hour = random.number() * 24;
    const density = 1 + 0.5 * Math.cos(((hour - 20) / 24) * 2 * Math.PI);
    if (random.number() * 1.5 < density) return Math.floor(hour * HOUR_MS);
  }
}

function zipf(random: RandomNumbers, size: number): number {
  for (;;) {
    const rank = 1 + random.below(size);
    if (random.number() < rank ** -0.8) return rank - 1;
  }
}

function homeOf(random: RandomNumbers): string {
  if (random.isTrue(1 / 3)) {
    return `2a02:${hex(random)}:${hex(random)}:${hex(random)}::${hex(random)}`;
  }
  // 16 blocks of 65,536 addresses that are assigned to access providers.
  return `${84 + random.below(16)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
}

function hex(random: RandomNumbers): string {
  return (1 + random.below(0xfffe)).toString(16);
}

const LARGE = ["gmail.com", "outlook.com", "yahoo.com", "icloud.com", "gmx.de", "mail.ru"];

function mailOf(random: RandomNumbers): string {
  const name = `person${random.below(2 ** 31).toString(36)}`;
  const tag = random.isTrue(0.05) ? "+news" : "";
  const domain = random.isTrue(0.7)
    ? LARGE[random.below(LARGE.length)]!
    : `mail${random.below(20_000)}.example`;
  return `${name}${tag}@${domain}`;
}

function officeMail(random: RandomNumbers, office: number): string {
  return `staff${random.below(2 ** 31).toString(36)}@office${office}.example`;
}

function aliasOf(name: string, index: number): string {
  if (index % 2 === 0) return `${name}+${index}@gmail.com`;
  const dotted = name.split("").map((letter, at) => ((index >> at) & 1 ? `${letter}.` : letter));
  return `${dotted.join("").replace(/\.$/, "")}@gmail.com`;
}
