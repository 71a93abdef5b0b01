import { payloads, signDelivery } from "@riskgate/testing";
import type { Received } from "./app.js";

/** One line of the tour: a request, what it should come to, and what it came to. */
export interface Step {
  readonly title: string;
  readonly expected: string;
  /** Send the request; returns the result in the words of `expected`. */
  run(base: string): Promise<string>;
}

/**
 * Addresses of the tour. They lie in a block that the address registries call globally reachable and
 * that no client has (RFC 7450), so that nobody's address is called a bad one.
 */
export const HOSTING_NETWORK = "192.52.193.0/26";
export const TOR_EXIT = "192.52.193.77";
const HOSTING_ADDRESS = "192.52.193.7";
const ATTACKER = "192.52.193.200";

/** The scripted sequence. */
export function createSteps(secret: string, received: Received): Step[] {
  const everyType = signDelivery(
    [
      payloads.securityEvent(),
      payloads.incident(),
      payloads.securityResponse({
        properties: { ips: [{ ip_cidr: `${ATTACKER}/32` }], user_identifiers: [] },
      }),
      payloads.test(),
    ],
    secret,
  );
  const forged = signDelivery([payloads.test()], "not-the-secret");
  const deliver = async (base: string, delivery: typeof forged): Promise<string> => {
    const before = total(received);
    const { body, headers } = delivery;
    const response = await fetch(`${base}/webhooks/security`, { method: "POST", headers, body });
    return `${response.status}, ${total(received) - before} handled`;
  };

  return [
    signUp("An ordinary sign-up passes", "ada@example.com", undefined, "201, score 0"),
    signUp(
      "A disposable address is flagged",
      "x@mailinator.com",
      undefined,
      "201, score 50, watched",
    ),
    signUp(
      "A harmful address is rejected",
      "<script>alert(1)</script>@example.com",
      undefined,
      "403",
    ),
    signUp("A hosting address is scored", "ada@example.com", HOSTING_ADDRESS, "201, score 5"),
    signUp("A Tor exit is flagged", "ada@example.com", TOR_EXIT, "201, score 60, watched"),
    {
      title: "A forged webhook is refused",
      expected: "401, 0 handled",
      run: (base) => deliver(base, forged),
    },
    signUp("An unknown address passes", "ada@example.com", ATTACKER, "201, score 0"),
    {
      title: "A signed webhook with all four types is handled",
      expected: "204, 4 handled",
      run: (base) => deliver(base, everyType),
    },
    signUp("What its security response names is blocked", "ada@example.com", ATTACKER, "403"),
    {
      title: "The same delivery again runs nothing twice",
      expected: "204, 0 handled",
      run: (base) => deliver(base, everyType),
    },
  ];
}

function signUp(title: string, email: string, from: string | undefined, expected: string): Step {
  return {
    title,
    expected,
    async run(base) {
      const response = await fetch(`${base}/signup`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(from && { "x-forwarded-for": from }),
        },
        body: JSON.stringify({ email }),
      });
      if (response.status !== 201) return String(response.status);
      const { score, watched } = (await response.json()) as { score: number; watched: boolean };
      return `201, score ${score}${watched ? ", watched" : ""}`;
    },
  };
}

function total(received: Received): number {
  return [...received.values()].reduce((sum, count) => sum + count, 0);
}
