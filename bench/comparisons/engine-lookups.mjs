import { createEngine, createMemoryLedger } from "@riskgate/engine";
import mailchecker from "mailchecker";
import { timed } from "../lib/timing.mjs";
import {
  askedAddresses,
  ipv4Networks,
  ipv6Addresses,
  ipv6Networks,
} from "../workers/addresses.mjs";
import { createRandom } from "../workers/random.mjs";

const ASKED = 4_096;

/** Whole assessments with feeds and a ledger, through the public interface. */
export function lookups() {
  return {
    name: "whole assessment",
    figure: "ns",
    baseline: "riskgate, IPv4",
    async open() {
      const random = createRandom(3);
      const networks = ipv4Networks(42_566, random);
      const v4 = askedAddresses(networks, ASKED, random);
      const v6 = ipv6Addresses(ASKED, random);
      const mix = v4.map((ip, index) => (index % 2 === 0 ? ip : (v6[index] ?? "")));
      const emails = Array.from({ length: ASKED }, (_, index) =>
        Buffer.from(`user${index}@mail${index % 97}.example.org`).toString("latin1"),
      );
      const ledger = createMemoryLedger();
      for (let index = 0; index < ASKED; index += 4) {
        ledger.record({ ip: v4[index] ?? "", email: emails[index] ?? "" });
        ledger.record({ ip: v6[index] ?? "" });
      }
      const engine = await createEngine({
        feeds: [
          { kind: "datacenter", entries: networks },
          { kind: "vpn", entries: ipv6Networks(8_752, random) },
        ],
        ledger,
      });
      const address = (/** @type {string} */ ip) => engine.peekIp(ip)?.assessment.risk_score ?? NaN;
      const email = (/** @type {string} */ text) =>
        engine.peekEmail(text)?.assessment.risk_score ?? NaN;
      /** @type {[string, readonly string[], (text: string) => unknown][]} */
      const ways = [
        ["riskgate, IPv4", v4, address],
        ["riskgate, IPv6", v6, address],
        ["riskgate, IPv4 and IPv6", mix, address],
        ["riskgate, email", emails, email],
        ["mailchecker, email", emails, (text) => mailchecker.isValid(text)],
      ];
      for (const [name, texts, ask] of ways) {
        if (texts.some((text) => Number.isNaN(ask(text))))
          throw new Error(`${name} gives no score`);
      }
      return {
        variants: ways.map(([name, texts, ask]) => ({
          name,
          measure: timed((call) => ask(texts[call % ASKED] ?? ""), { unit: "ns" }),
        })),
        close: () => engine.close(),
      };
    },
  };
}
