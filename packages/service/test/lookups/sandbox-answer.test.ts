import { readFileSync } from "node:fs";
import { emailProblem, normalizeIp } from "@riskgate/core/address";
import { createFakeService, type ServiceFault } from "@riskgate/testing";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Magic,
  MAGIC_INPUTS,
  SANDBOX_FAULTS,
  type SandboxFault,
  sandboxAnswer,
} from "../../src/lookups/sandbox-answer.js";

const document = readFileSync(new URL("../../../../docs/sandbox.md", import.meta.url), "utf8");

/** Rows of the first table of the document, cell by cell. */
const shownRows = document
  .slice(document.indexOf("| Last number"), document.indexOf("Listed flags are"))
  .trim()
  .split("\n")
  .slice(3)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

function wordsOf(answer: Magic): string {
  if ("fault" in answer) return "fault";
  return Object.entries(answer.assessment)
    .map(([name, value]) =>
      value === true
        ? `\`${name}\``
        : `\`${name}\` ${typeof value === "number" ? value : JSON.stringify(value)}`,
    )
    .join(", ");
}

describe("docs/sandbox.md", () => {
  it("shows every magic input, in the order of the table", () => {
    expect(shownRows).toEqual(
      MAGIC_INPUTS.map(({ host, mailbox, answer }) => [
        host === undefined ? "" : String(host),
        mailbox === undefined ? "" : `\`${mailbox}\``,
        wordsOf(answer),
      ]),
    );
  });

  it("explains every fault", () => {
    const explained = document.slice(document.indexOf("## Faults"));
    for (const fault of SANDBOX_FAULTS) expect(explained).toContain(`| \`${fault}\``);
  });
});

describe("sandboxAnswer", () => {
  it.each([
    ["192.0.2.0", 0],
    ["198.51.100.40", 40],
    ["203.0.113.81", 81],
    ["203.0.113.100", 100],
    ["::ffff:203.0.113.81", 81],
    ["2001:db8::81", 81],
    ["2001:DB8:0:0:0:0:0:81", 81],
    ["2001:db8:1:2:3:4:5:81", 81],
    ["203.0.113.101", 80.5],
    ["2001:db8::101", 80.5],
  ])("gives %s the score %d", (ip, risk_score) => {
    expect(sandboxAnswer("ip", ip)).toEqual({ assessment: { is_private: false, risk_score } });
  });

  it.each([
    ["score-0@example.com", 0],
    ["score-81@example.org", 81],
    ["score-80.5@EXAMPLE.net", 80.5],
    ["score-100@example.com", 100],
  ])("gives %s the score %d", (email, risk_score) => {
    expect(sandboxAnswer("email", email)).toEqual({ assessment: { risk_score } });
  });

  it.each([
    ["ip", "203.0.113.111"],
    ["ip", "203.0.113.200"],
    ["ip", "203.0.113.255"],
    ["ip", "203.0.114.81"],
    ["ip", "2001:db9::81"],
    ["ip", "2001:db8::"],
    ["ip", "2001:db8::8a"],
    ["ip", "2001:db8::999"],
    ["ip", "8.8.8.81"],
    ["ip", "no address"],
    ["ip", ""],
    ["email", "ada@example.com"],
    ["email", "score-101@example.com"],
    ["email", "score--1@example.com"],
    ["email", "score-1e1@example.com"],
    ["email", "score-@example.com"],
    ["email", "reset@sub.example.com"],
    ["email", "reset@example.com.evil.example"],
    ["email", "reset@shop.example"],
    ["email", "reset"],
    ["email", "@example.com"],
    ["email", "undefined@example.com"],
    ["email", "constructor@example.com"],
  ] as const)("leaves %s %s to the engine", (type, identifier) => {
    expect(sandboxAnswer(type, identifier)).toBeUndefined();
  });

  it.each(MAGIC_INPUTS.filter(({ host }) => host !== undefined))(
    "answers about host $host in every network",
    ({ host, answer }) => {
      const expected = { ...answer, assessment: { is_private: false, ...answer.assessment } };
      for (const network of ["192.0.2.", "198.51.100.", "203.0.113.", "2001:db8::"]) {
        expect(sandboxAnswer("ip", `${network}${host}`)).toEqual(expected);
      }
    },
  );

  it.each(MAGIC_INPUTS.filter(({ mailbox }) => mailbox !== undefined))(
    "answers about $mailbox at every domain",
    ({ mailbox, answer }) => {
      for (const domain of ["example.com", "example.org", "example.net"]) {
        expect(sandboxAnswer("email", `${mailbox}@${domain}`)).toEqual(answer);
      }
    },
  );

  it("answers only scores from 0 to 100 and faults, for any identifier", () => {
    const identifier = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.string().map((local) => `${local}@example.com`),
      fc.stringMatching(/^score-[0-9.]{0,8}$/).map((local) => `${local}@example.com`),
      fc.integer({ min: 0, max: 0xffff }).map((group) => `2001:db8::${group.toString(16)}`),
    );
    fc.assert(
      fc.property(fc.constantFrom("ip" as const, "email" as const), identifier, (type, text) => {
        const answer = sandboxAnswer(type, text);
        if (answer === undefined) return;
        if ("fault" in answer) expect(SANDBOX_FAULTS).toContain(answer.fault);
        else {
          expect(answer.assessment.risk_score).toBeGreaterThanOrEqual(0);
          expect(answer.assessment.risk_score).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("magic inputs", () => {
  it.each(MAGIC_INPUTS)("can be looked up: $host $mailbox", ({ host, mailbox }) => {
    expect(normalizeIp(`203.0.113.${host ?? 0}`)).toBeDefined();
    expect(emailProblem(`${mailbox ?? "score-0"}@example.com`)).toBeUndefined();
  });

  it("have faults in the words of the fake service", async () => {
    expectTypeOf<SandboxFault>().toEqualTypeOf<ServiceFault>();
    const answers = Object.fromEntries(
      SANDBOX_FAULTS.map((fault) => [`${fault}@x.example`, { fault }]),
    );
    const service = await createFakeService({ answers });
    await service.close();
  });
});
