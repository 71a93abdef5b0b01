import { payloads, signDelivery } from "@riskgate/testing";
import type { Received } from "./app.js";
import { ATTACKER, HOSTING_ADDRESS, type Sandbox, TOR_EXIT } from "./sandbox.js";

/** One line of the tour: an action and its expected result. */
export interface Step {
  readonly title: string;
  readonly expected: string;
  /** Runs the action; returns the result in the words of `expected`. */
  run(): Promise<string>;
}

/** Longest wait for a delivery. */
const ARRIVAL_MS = 30_000;

/** Returns the steps, which use real HTTP between the app and the service. */
export function createSteps(app: string, sandbox: Sandbox, received: Received): Step[] {
  const signUp = (title: string, email: string, from: string | null, expected: string): Step => ({
    title,
    expected,
    async run() {
      const response = await fetch(`${app}/signup`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(from && { "x-forwarded-for": from }) },
        body: JSON.stringify({ email }),
      });
      if (response.status !== 201) return String(response.status);
      const { score, watched } = (await response.json()) as { score: number; watched: boolean };
      return `201, score ${score}${watched ? ", watched" : ""}`;
    },
  });
  const deliver = (title: string, delivery: typeof everyType, expected: string): Step => ({
    title,
    expected,
    async run() {
      const before = total(received);
      const { body, headers } = delivery;
      const response = await fetch(`${app}/webhooks/security`, { method: "POST", headers, body });
      return `${response.status}, ${total(received) - before} handled`;
    },
  });
  const everyType = signDelivery(
    [payloads.securityEvent(), payloads.incident(), payloads.securityResponse(), payloads.test()],
    sandbox.secret,
  );
  const forged = signDelivery([payloads.test()], "not-the-secret");
  const injections = [1, 2, 3].map(() => ({ event_kind: "sql_injection", ips: [ATTACKER] }));

  return [
    signUp("An ordinary sign-up passes", "ada@example.com", null, "201, score 0"),
    signUp("A disposable address is flagged", "x@mailinator.com", null, "201, score 50, watched"),
    signUp("A harmful address is rejected", "<script>alert(1)</script>@x.example", null, "403"),
    signUp("A hosting address is scored", "ada@example.com", HOSTING_ADDRESS, "201, score 5"),
    signUp("A Tor exit is flagged", "ada@example.com", TOR_EXIT, "201, score 60, watched"),
    deliver("A forged webhook is refused", forged, "401, 0 handled"),
    deliver("A signed webhook with all four types is handled", everyType, "204, 4 handled"),
    deliver("A repeated delivery is not handled twice", everyType, "204, 0 handled"),
    signUp("An unknown address passes", "ada@example.com", ATTACKER, "201, score 0"),
    {
      title: "The app reports three SQL injections from it",
      expected: "200, 1 incident",
      async run() {
        received.clear();
        const status = await sandbox.report(injections);
        const incidents = await sandbox.openIncidents();
        return `${status}, ${incidents} incident${incidents === 1 ? "" : "s"}`;
      },
    },
    {
      title: "Signed events, incident and response arrive",
      expected: "3 security_event, 1 pulse, 1 security_response",
      async run() {
        const until = performance.now() + ARRIVAL_MS;
        while (!received.has("security_response") && performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return ["security_event", "pulse", "security_response"]
          .map((type) => `${received.get(type) ?? 0} ${type}`)
          .join(", ");
      },
    },
    signUp("The address is blocked", "ada@example.com", ATTACKER, "403"),
  ];
}

function total(received: Received): number {
  return [...received.values()].reduce((sum, count) => sum + count, 0);
}
