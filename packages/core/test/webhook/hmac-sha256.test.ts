import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHmacSha256 } from "../../src/webhook/hmac-sha256.js";

const expected = (key: Uint8Array, message: Uint8Array): string =>
  createHmac("sha256", key).update(message).digest("hex");

describe("createHmacSha256", () => {
  it.each([1, 32, 63, 64, 65, 100, 128, 1000])("takes a key of %i bytes", (length) => {
    const key = Buffer.alloc(length, "key");
    expect(createHmacSha256(key)(Buffer.from("body"))).toBe(expected(key, Buffer.from("body")));
  });

  const edge = 32 * 1024;
  it.each([0, 1, 63, 64, edge - 1, edge, edge + 1, 100_000])(
    "takes a message of %i bytes",
    (length) => {
      const message = Buffer.alloc(length, "message");
      const key = Buffer.from("key");
      expect(createHmacSha256(key)(message)).toBe(expected(key, message));
    },
  );

  it("is the HMAC of any message under any key, in any order of use", () => {
    const use = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 150 }), fc.uint8Array());
    fc.assert(
      fc.property(fc.array(use), (uses) => {
        const made = uses.map(([key]) => createHmacSha256(key));
        const digests = uses.map(([, message], index) => made[index]?.(message));
        expect(digests).toEqual(uses.map(([key, message]) => expected(key, message)));
      }),
      { numRuns: 300 },
    );
  });

  it("copies the key", () => {
    const key = Buffer.from("key");
    const hmac = createHmacSha256(key);
    key.fill(0);
    for (const length of [10, 100_000]) {
      const message = Buffer.alloc(length);
      expect(hmac(message)).toBe(expected(Buffer.from("key"), message));
    }
  });
});
