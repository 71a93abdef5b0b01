import { expect } from "vitest";
import { type ConsoleRoom, openConsoleRoom } from "./console-room.js";

const ACCOUNTS = ["ada@shop.example", "bob@shop.example", "cleo@shop.example"] as const;

const accountOf = (step: number): string => ACCOUNTS[step % 3] ?? "";

/** A service with some of everything, and the page of each thing. */
export async function busyRoom(): Promise<{
  readonly room: ConsoleRoom;
  readonly pages: readonly (readonly [name: string, path: string])[];
}> {
  const room = await openConsoleRoom({
    name: "Shop",
    answer: (response, _request, index) =>
      void response.writeHead(index % 5 === 1 ? 503 : 200).end(index % 5 === 1 ? "busy" : "ok"),
  });
  const { admin, applicationId, lookupKey, baseUrl } = room;
  const { playbook } = await admin<{ playbook: { id: string } }>(
    "POST",
    `/applications/${applicationId}/playbooks`,
    { name: "Block attackers", rule: { kinds: ["auth_bruteforce"], count: 3 } },
  );
  // Before the reports: what follows from them may be sent at once.
  let sent = 0;
  for (let step = 0; step < 12; step++) {
    await room.report([
      eventOf(step, "auth_bruteforce", accountOf(0)),
      eventOf(step, step % 2 ? "sql_injection" : "xss", accountOf(step)),
    ]);
    const asked = step % 3 ? "185.220.101.1" : `198.51.100.${step + 1}`;
    await fetch(`${baseUrl}/v1/ips/${asked}`, { headers: { "x-api-key": lookupKey } });
    if (step % 3 < 2) continue;
    await expect.poll(() => room.receiver.requests.length).toBeGreaterThan(sent);
    sent = room.receiver.requests.length;
  }
  await moreScores(room);
  const delivered = async () =>
    (await admin<{ deliveries: { id: string }[] }>("GET", "/deliveries?state=delivered"))
      .deliveries;
  await expect.poll(async () => (await delivered()).length).toBeGreaterThan(0);
  const { incidents } = await admin<{ incidents: { id: string; genre: string }[] }>(
    "GET",
    "/incidents?genre=account_takeover",
  );
  const [delivery] = await delivered();
  return {
    room,
    pages: [
      ["overview", "/console/"],
      ["deliveries", "/console/deliveries"],
      ["delivery", `/console/deliveries/${delivery?.id}`],
      ["incidents", "/console/incidents"],
      ["incident", `/console/incidents/${incidents.at(0)!.id}`],
      ["events", "/console/events"],
      ["event", "/console/events/auth_bruteforce-4"],
      ["lookup", "/console/lookup"],
      ["address", "/console/addresses/185.220.101.1"],
      ["account", "/console/accounts/ada%40shop.example"],
      ["rehearsal", "/console/rehearsal?flagAbove=30&challengeAbove=55&rejectAbove=70"],
      ["applications", "/console/applications"],
      ["application", `/console/applications/${applicationId}`],
      ["playbooks", "/console/playbooks"],
      ["playbook", `/console/playbooks/${playbook.id}`],
      ["rules", "/console/rules"],
      ["feeds", "/console/feeds"],
      ["api", "/console/api"],
    ],
  };
}

/** Rules, and lookups and decisions of all sorts of scores. */
async function moreScores({ admin, lookupKey, reportKey, baseUrl }: ConsoleRoom): Promise<void> {
  const ruled = (outcome: string, at: number) => ({
    name: `${outcome} ${at}.example`,
    when: { domain: [`${at}.example`] },
    outcome,
  });
  await admin("PUT", "/rules", {
    rules: [
      { ...ruled("allow", 1), note: "Staff sign up from everywhere" },
      ruled("flag", 2),
      ruled("reject", 3),
    ],
  });
  const ask = async (path: string) => {
    await fetch(baseUrl + path, { headers: { "x-api-key": lookupKey } });
  };
  for (let step = 0; step < 40; step++) {
    await ask(`/v1/emails/user${step}@${step % 2 ? "mailinator.com" : `${step % 7}.example`}`);
    await ask(`/v1/ips/203.0.113.${step % 12}`);
  }
  const records = Array.from({ length: 60 }, (_, step) => recordOf(step, (step * 7) % 101));
  await fetch(`${baseUrl}/v1/reports/decisions`, {
    method: "POST",
    headers: { "x-api-key": reportKey, "content-type": "application/json" },
    body: JSON.stringify(records),
  });
}

function recordOf(step: number, score: number): object {
  const outcome = score > 80 ? "reject" : score > 40 ? "flag" : "allow";
  return {
    v: 1,
    id: `decision-${step}`,
    at: "2026-03-01T12:00:00.000Z",
    route: step % 3 ? "POST /signup" : "POST /login",
    outcome,
    enforced: true,
    because: "score",
    score,
    ip: { state: "scored", score, source: "live", flags: step % 2 ? ["is_vpn"] : [] },
    email: { state: "skipped", why: "absent" },
    policy: { flagAbove: 40, rejectAbove: 80 },
  };
}

function eventOf(step: number, kind: string, account: string): object {
  return {
    event_id: `${kind}-${step}`,
    event_kind: kind,
    application_account_account_keys: [{ name: "email", value: account }],
    ips: [{ address: `203.0.113.${7 + (step % 3)}`, geo: { city: "Paris", code: "FRA" } }],
    user_agent: "curl/8.5",
  };
}
