import { isIPv6 } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaProblems } from "../support/openapi-document.js";
import { serveApi } from "../support/served-api.js";

const schema = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const IP = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom("::ffff:1.2.3.4", "::1", "20.1.1.1", "2a00::5", "185.220.101.1"),
);
const EMAIL = fc.oneof(
  fc.emailAddress(),
  fc
    .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
    // A client of HTTP takes such a step before it asks.
    .filter((text) => text !== "." && text !== ".."),
  fc.emailAddress().map((email) => email.replace(/@.*/, "@mailinator.test")),
);

describe("assessments", () => {
  it("SVC-15 have the specified members, types and ranges for 1,000 random identifiers", async () => {
    const { url, key } = await serveApi();
    const ask = async (type: string, identifier: string): Promise<[number, Json]> => {
      const response = await fetch(`${url}/v1/${type}/${encodeURIComponent(identifier)}`, {
        headers: { "x-api-key": key },
      });
      return [response.status, (await response.json()) as Json];
    };
    await fc.assert(
      fc.asyncProperty(IP, EMAIL, async (ip, email) => {
        const [ipStatus, ipAnswer] = await ask("ips", ip);
        expect(ipStatus).toBe(200);
        expect(schemaProblems(schema("IpAssessment"), ipAnswer)).toEqual([]);
        expect(ipAnswer["ip_version"]).toBe(isIPv6(String(ipAnswer["ip"])) ? 6 : 4);

        const [emailStatus, emailAnswer] = await ask("emails", email);
        if (emailStatus === 200) {
          expect(schemaProblems(schema("EmailAssessment"), emailAnswer)).toEqual([]);
          expect(emailAnswer["email"]).toBe(email);
        } else {
          expect(emailStatus).toBe(400);
          expect(schemaProblems(schema("Error"), emailAnswer)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

type Json = Readonly<Record<string, unknown>>;
