import { describe, expect, it } from "vitest";
import { challengedServer, EMAIL, IP } from "../../support/challenged-server.js";
import { SECRET } from "../../support/token-attacks.js";

const TOKENS = 10_000;
const AT_ONCE = 50;

describe("a gate that challenges", () => {
  it(
    `CHL-05 lets none of ${TOKENS} requests pass with a forged, used, expired or foreign token`,
    { timeout: 600_000 },
    async () => {
      let asked = 0;
      const verifyChallenge = () => ++asked > 0;
      const server = await challengedServer({ verifyChallenge });
      const expiring = await challengedServer({ challenge: { secrets: SECRET, ttlMs: 1 } });
      const foreign = await challengedServer({ challenge: { secrets: `another ${SECRET}` } });
      const used: string[] = [];
      for (let n = 0; n < 100; n++) {
        const { token } = await server.send();
        expect((await server.send(token)).status).toBe(200);
        used.push(token);
      }
      const attacks: ((n: number) => Promise<string>)[] = [
        async (n) => used.at(n % used.length)!,
        async () => {
          const { token } = await expiring.send();
          await new Promise((resolve) => setTimeout(resolve, 5));
          return token;
        },
        async () => (await foreign.send()).token,
        async (n) => (await server.send(undefined, { email: `other${n}@x.y` })).token,
        async (n) => (await server.send(undefined, { ip: `9.9.${n >> 8}.${n & 255}` })).token,
        async (n) => {
          const { token } = await server.send();
          const at = n % token.length;
          return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
        },
      ];
      const statuses = new Map<number, number>();
      const attack = async (n: number): Promise<void> => {
        const token = await attacks.at(n % attacks.length)!(n);
        const { status } = await server.send(token, { email: EMAIL, ip: IP });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      for (let n = 0; n < TOKENS; n += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, async (_, m) => attack(n + m)));
      }
      expect([...statuses]).toEqual([[403, TOKENS]]);
      expect([server.passed, asked]).toEqual([100, 100]);
    },
  );
});
