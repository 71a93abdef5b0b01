import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createStandardVerifier,
  digestsOf,
  signStandard,
} from "../../src/webhook/standard-signature.js";
import { thrown } from "../support/caught.js";

/** The example that libraries for Standard Webhooks test with. */
const KNOWN = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const { secret, id, seconds, body, signature } = KNOWN;
const headers = { id, timestamp: String(seconds), signature };

describe("signStandard", () => {
  it("signs the known example", () => {
    expect(signStandard({ id, seconds, body }, [secret])).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": signature,
    });
  });

  it("signs text and its bytes alike, once by each secret", () => {
    const text = '{"name":"Zo\u00eb"}';
    const signed = (sent: string | Uint8Array) =>
      signStandard({ id, seconds, body: sent }, [secret, "plain text"])["webhook-signature"];
    expect(signed(text)).toBe(signed(Buffer.from(text)));
    expect(signed(text).split(" ")).toHaveLength(2);
  });

  it.each<[string, string, string]>([
    ["an encoded secret", `whsec_${Buffer.from("k\u00e9y").toString("base64")}`, "k\u00e9y"],
    ["a secret with a version", `v1,${secret}`, secret],
    ["an encoded secret without padding", "whsec_a2V5MQ", "key1"],
  ])("uses the same key for %s", (_, one, other) => {
    expect(signStandard({ id, seconds, body }, [one])).toEqual(
      signStandard({ id, seconds, body }, [other]),
    );
  });

  it.each(["", "  ", "whsec_AAAA"])("refuses the secret %j, which anyone could guess", (given) => {
    expect(thrown(() => signStandard({ id, seconds, body }, [given])).code).toBe("CONFIG_INVALID");
    expect(thrown(() => createStandardVerifier(given)).code).toBe("CONFIG_INVALID");
  });

  it("uses a secret that only looks encoded as it is", async () => {
    const given = "whsec_ABCDE";
    const { "webhook-signature": made } = signStandard({ id, seconds, body }, [given]);
    const verifier = createStandardVerifier(given);
    expect(await verifier.match(body, { ...headers, signature: made })).toBe("0");
  });
});

describe("createStandardVerifier", () => {
  const verifier = createStandardVerifier([
    { id: "old", value: "another secret" },
    { id: "new", value: secret },
  ]);

  it("returns the id of the secret that signed", async () => {
    expect(await verifier.match(body, headers)).toBe("new");
    expect(await verifier.match(Buffer.from(body), headers)).toBe("new");
  });

  it("accepts any of several signatures, and skips unknown versions", async () => {
    const wrong = `v1,${"A".repeat(43)}=`;
    for (const given of [`${wrong} ${signature}`, `v1a,abc ${signature}`, `${signature} x`]) {
      expect(await verifier.match(body, { ...headers, signature: given })).toBe("new");
    }
  });

  it.each<[string, object]>([
    ["another id", { id: "msg_other" }],
    ["no id", { id: undefined }],
    ["an empty id", { id: "" }],
    ["an id that is too long", { id: "x".repeat(257) }],
    ["another time", { timestamp: "1614265331" }],
    ["a time with a fraction", { timestamp: "1614265330.0" }],
    ["a time with a sign", { timestamp: "+1614265330" }],
    ["a time that is not text", { timestamp: 1_614_265_330 }],
    ["two times", { timestamp: ["1614265330", "1614265330"] }],
    ["no signature", { signature: "" }],
    ["no version", { signature: signature.slice(3) }],
    ["another version", { signature: signature.replace("v1", "v2") }],
    ["a signature with a letter more", { signature: `${signature}a` }],
    ["a signature without padding", { signature: signature.slice(0, -1) }],
    ["the right signature behind too many", { signature: `${"v1,x ".repeat(8)}${signature}` }],
  ])("refuses %s", async (_, change) => {
    expect(await verifier.match(body, { ...headers, ...change })).toBeUndefined();
  });

  it("refuses a secret after its last moment", async () => {
    const named = { id: "old", value: secret, notAfter: new Date(1000) };
    const at = (ms: number) => createStandardVerifier(named, () => ms).match(body, headers);
    expect(await at(1000)).toBe("old");
    expect(await at(1001)).toBeUndefined();
  });

  it("never throws for any header values", async () => {
    const value = fc.anything();
    await fc.assert(
      fc.asyncProperty(value, value, value, async (one, two, three) => {
        const given = { id: one, timestamp: two, signature: three };
        expect(await verifier.match(body, given)).toBeUndefined();
      }),
    );
  });
});

describe("digestsOf", () => {
  it("returns only digests of 32 bytes, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const digest of digestsOf(`${text} ${signature} ${text}`)) {
          expect(Buffer.from(digest, "base64url")).toHaveLength(32);
        }
      }),
    );
  });
});
