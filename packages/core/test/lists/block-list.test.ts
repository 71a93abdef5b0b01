import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { createBlockList } from "../../src/lists/block-list.js";
import type { RiskGateError } from "../../src/base/errors.js";
import { readPayload } from "../../src/webhook/payload-schema.js";
import type { SecurityResponse } from "../../src/model/payload.js";
import { thrown } from "../support/caught.js";

/** A security response as the receiver hands it on. */
function response(ips: unknown[], identifiers: unknown[] = []): SecurityResponse {
  const raw = {
    service_payload_type: "security_response",
    properties: { ips, user_identifiers: identifiers },
  };
  return readPayload("security_response", raw, []) as SecurityResponse;
}

describe("createBlockList", () => {
  it("blocks what a security response names, and nothing else", () => {
    const list = createBlockList();
    const named = response(
      [{ ip_cidr: "1.2.3.4" }, { ip_cidr: "10.0.0.0/8" }, { ip_cidr: "2001:db8::/32" }],
      ["a@x.y", { email: "b@X.Y", uid: 7, login: "carol" }],
    );
    expect(list.apply(named)).toBe(6);
    const ips = ["1.2.3.4", "::ffff:1.2.3.4", "10.9.9.9", "2001:db8::1", "1.2.3.5", "2001:db9::"];
    expect(ips.map((ip) => list.blocksIp(ip))).toEqual([true, true, true, true, false, false]);
    const emails = ["a@x.y", "a@X.Y", "b@x.y", "carol", "A@x.y", "7"];
    expect(emails.map((email) => list.blocksEmail(email))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it("blocks an address behind a NAT64 gateway as its IPv4 address, and no other", () => {
    const list = createBlockList();
    list.block("64:ff9b::8.8.8.8");
    expect(list.size).toBe(1);
    for (const ip of ["8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b::808:808"]) {
      expect([ip, list.blocksIp(ip)]).toEqual([ip, true]);
    }
    for (const ip of ["8.8.4.4", "64:ff9b::8.8.4.4"]) {
      expect([ip, list.blocksIp(ip)]).toEqual([ip, false]);
    }
    list.unblock("8.8.8.8");
    expect(list.blocksIp("64:ff9b::8.8.8.8")).toBe(false);
  });

  it("ends a block by its release, even if that arrives before it", () => {
    const response = (date_created: string, duration_seconds: number) => ({
      date_created,
      properties: { ips: [{ ip_cidr: "8.8.8.8/32" }], user_identifiers: ["eve"], duration_seconds },
    });
    let now = 0;
    const list = createBlockList({ now: () => now });
    list.apply(response("2026-03-01T12:00:02Z", 1));
    list.apply(response("2026-03-01T12:00:01Z", 3_600));
    now = 2_000;
    expect([list.blocksIp("8.8.8.8"), list.blocksEmail("eve")]).toEqual([false, false]);
    list.apply(response("2026-03-01T12:00:03Z", 3_600));
    expect([list.blocksIp("8.8.8.8"), list.blocksEmail("eve")]).toEqual([true, true]);
    // What the application itself does, applies in any case.
    list.unblock("8.8.8.8");
    expect(list.blocksIp("8.8.8.8")).toBe(false);
    list.block("8.8.8.8");
    expect(list.blocksIp("8.8.8.8")).toBe(true);
  });

  it("blocks every spelling of a mailbox, and unblocks it by any", () => {
    const list = createBlockList();
    list.apply(response([], ["Eve+shop@GMail.com"]));
    const spellings = [
      "eve@gmail.com",
      "E.V.E@googlemail.com.",
      "<eve+1@gmail.com>",
      " eve@gmail.com",
    ];
    expect(spellings.map((email) => list.blocksEmail(email))).toEqual([true, true, true, true]);
    list.unblock("e.v.e@googlemail.com");
    expect(spellings.some((email) => list.blocksEmail(email))).toBe(false);
  });

  it("takes each spelling for another mailbox without the rules of providers", () => {
    const list = createBlockList({ providerRules: false });
    list.block("eve@gmail.com");
    const emails = ["EVE@gmail.com.", "eve+1@gmail.com", "e.ve@gmail.com"];
    expect(emails.map((email) => list.blocksEmail(email))).toEqual([true, false, false]);
  });

  it("blocks nobody else for an identifier that names several mailboxes", () => {
    const list = createBlockList();
    list.apply(response([], ["<victim@x.com>@evil.example"]));
    expect(list.blocksEmail("victim@x.com")).toBe(false);
    expect(list.blocksEmail("<victim@x.com>@evil.example")).toBe(true);
  });

  it("ignores an entry that is no network, and reports it", () => {
    const errors: RiskGateError[] = [];
    const list = createBlockList({ onError: (error) => errors.push(error) });
    const named = response([
      { ip_cidr: "1.2.3.4" },
      { ip_cidr: "10.0.0.0/33" },
      { ip_cidr: "eve@x.com" },
      { ip_cidr: "" },
    ]);
    expect(list.apply(named)).toBe(1);
    expect(list.size).toBe(1);
    expect(list.blocksEmail("eve@x.com")).toBe(false);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["INVALID_ARGUMENT", "ignored 3 of the `ips` of a security response: not a network"],
    ]);
  });

  it.each([
    [undefined],
    [null],
    ["eve@x.com"],
    [{}],
    [{ properties: {} }],
    [{ properties: { ips: [], user_identifiers: "eve" } }],
  ])("refuses to apply %j", (given) => {
    const error = thrown(() => createBlockList().apply(given as unknown as SecurityResponse));
    expect([error.code, error.message]).toEqual([
      "INVALID_ARGUMENT",
      "expected a security response as its handler receives it",
    ]);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    "",
    " ",
    "10.0.0.0/33",
    "1.2.3",
    "10/8",
    "10.0.0.*",
    "8.8.8.8:53",
    "2001:db8::/129",
    "2001:db8:::1",
  ])("refuses to block or unblock %j", (given) => {
    const list = createBlockList();
    for (const name of ["block", "unblock"] as const) {
      const error = thrown(() => list[name](given as string));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toMatch(
        /^expected an? (?:IP address, a network or an )?identifier, given/,
      );
    }
    expect(list.size).toBe(0);
  });

  it("refuses a question about what is no text", () => {
    const list = createBlockList();
    expect(thrown(() => list.blocksIp(7 as never)).message).toBe(
      "expected an IP address, given number",
    );
    expect(thrown(() => list.blocksEmail(undefined as never)).message).toBe(
      "expected an email address, given nothing",
    );
  });

  it("never takes an identifier, which a user may choose, for a network", () => {
    const list = createBlockList();
    list.apply(response([], ["0.0.0.0/0", { login: "::/0" }, "8.8.8.8"]));
    expect(["8.8.8.8", "1.1.1.1", "2001:db8::1"].map((ip) => list.blocksIp(ip))).toEqual([
      false,
      false,
      false,
    ]);
    expect(list.blocksEmail("0.0.0.0/0")).toBe(true);
  });

  it("ends an entry after its time, or at once", () => {
    let nowMs = 0;
    const list = createBlockList({ durationMs: 100, now: () => nowMs });
    list.block("1.2.3.4");
    list.block("a@x.y", 1000);
    list.block("5.6.7.8");
    list.unblock("5.6.7.8");
    expect(list.blocksIp("5.6.7.8")).toBe(false);
    nowMs = 99;
    expect([list.blocksIp("1.2.3.4"), list.blocksEmail("a@x.y")]).toEqual([true, true]);
    nowMs = 100;
    expect([list.blocksIp("1.2.3.4"), list.blocksEmail("a@x.y")]).toEqual([false, true]);
    nowMs = 1000;
    expect(list.blocksEmail("a@x.y")).toBe(false);
    expect(list.size).toBe(0);
  });

  it.each([
    ["a duration", { duration_seconds: 5 }, undefined, 5000],
    ["a fraction of a second", { duration_seconds: 0.2 }, undefined, 1000],
    ["a duration beyond all bounds", { duration_seconds: Infinity }, undefined, 2_592_000_000],
    ["a duration, and the caller another", { duration_seconds: 5 }, 70, 70],
    ["no duration", {}, undefined, 100],
    ["a duration of nothing", { duration_seconds: 0 }, undefined, 100],
    ["a duration before now", { duration_seconds: -5 }, undefined, 100],
    ["a duration that is no number", { duration_seconds: "5" }, undefined, 100],
  ])("counts for its own time where a response has %s", (_, members, durationMs, endMs) => {
    let nowMs = 0;
    const list = createBlockList({ durationMs: 100, now: () => nowMs });
    const { properties, ...rest } = response([{ ip_cidr: "1.2.3.4" }], ["a@x.y"]);
    list.apply({ ...rest, properties: { ...properties, ...members } }, durationMs);
    nowMs = endMs - 1;
    expect([list.blocksIp("1.2.3.4"), list.blocksEmail("a@x.y")]).toEqual([true, true]);
    nowMs = endMs;
    expect([list.blocksIp("1.2.3.4"), list.blocksEmail("a@x.y")]).toEqual([false, false]);
  });

  it("renews an entry that is blocked again", () => {
    let nowMs = 0;
    const list = createBlockList({ durationMs: 100, now: () => nowMs });
    list.block("1.2.3.4");
    nowMs = 60;
    list.block("1.2.3.4");
    nowMs = 150;
    expect(list.blocksIp("1.2.3.4")).toBe(true);
  });

  it("R22 holds no more than its limit", () => {
    const list = createBlockList({ maxEntries: 10 });
    for (let n = 0; n < 1000; n++) list.block(`10.0.${n >> 8}.${n & 255}`);
    expect(list.size).toBe(10);
    expect([list.blocksIp("10.0.3.231"), list.blocksIp("10.0.0.0")]).toEqual([true, false]);
  });

  it.each([
    { durationMs: 0 },
    { durationMs: NaN },
    { durationMs: Infinity },
    { maxEntries: -1 },
    { maxEntries: 1.5 },
  ])("refuses %j", (options) => {
    expect(thrown(() => createBlockList(options)).code).toBe("CONFIG_INVALID");
  });

  it("refuses an option that it does not know", () => {
    const options = { maxEntrys: 10 };
    expect(thrown(() => createBlockList(options as object)).message).toBe(
      "`maxEntrys`: unknown option; did you mean `maxEntries`?",
    );
  });

  it("refuses a duration that is no number of milliseconds", () => {
    const list = createBlockList();
    expect(thrown(() => list.block("1.2.3.4", NaN)).code).toBe("CONFIG_INVALID");
    expect(list.blocksIp("1.2.3.4")).toBe(false);
  });

  it("agrees with a plain list of networks and addresses", () => {
    const octet = fc.constantFrom(0, 1, 127, 128, 255);
    const v4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join("."));
    const v6 = fc.tuple(octet, octet, octet).map(([a, b, c]) => `2001:db8:${a}:${b}::${c}`);
    const email = fc.constantFrom("a@x.y", "A@x.y", "a@X.Y", "b@x.y");
    const network = fc.oneof(
      fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map((parts) => parts.join("/")),
      fc.tuple(v6, fc.integer({ min: 0, max: 128 })).map((parts) => parts.join("/")),
    );
    const step = fc.record({
      action: fc.constantFrom("block", "block", "unblock", "wait"),
      subject: fc.oneof(v4, v6, network, email),
      ms: fc.integer({ min: 1, max: 100 }),
    });
    const canonical = (subject: string): string => {
      if (subject.includes("@")) return subject.toLowerCase();
      const [ip = "", length = ip.includes(":") ? "128" : "32"] = subject.split("/");
      const kind = ip.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
      return `${kind.networkAddressFromCIDR(`${ip}/${length}`).toString()}/${length}`;
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(fc.oneof(v4, v6)), (steps, ips) => {
        let nowMs = 0;
        const list = createBlockList({ maxEntries: 100, now: () => nowMs });
        const model = new Map<string, number>();
        for (const { action, subject, ms } of steps) {
          if (action === "wait") nowMs += ms;
          else if (action === "block") {
            list.block(subject, ms);
            model.set(canonical(subject), nowMs + ms);
          } else {
            list.unblock(subject);
            model.delete(canonical(subject));
          }
        }
        const active = [...model].filter(([, until]) => until > nowMs).map(([subject]) => subject);
        const networks = active.filter((subject) => !subject.includes("@"));
        const inModel = (ip: string): boolean =>
          networks.some((cidr) => {
            const [base, length] = ipaddr.parseCIDR(cidr);
            const address = ipaddr.parse(ip);
            return address.kind() === base.kind() && address.match(base, length);
          });
        expect(ips.map((ip) => list.blocksIp(ip))).toEqual(ips.map(inModel));
        for (const address of ["a@x.y", "A@x.y", "b@x.y"]) {
          expect(list.blocksEmail(address)).toBe(active.includes(address.toLowerCase()));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
