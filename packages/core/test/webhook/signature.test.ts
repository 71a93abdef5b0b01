import crypto, { createHmac } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createVerifier,
  isSignature,
  type NamedSecret,
  type Secrets,
  type SecretValue,
  sign,
  verify,
} from "../../src/webhook/signature.js";
import type { RawBody } from "../../src/webhook/raw-body.js";
import { thrown } from "../support/caught.js";
import { SECRET, vector, VECTORS } from "../support/vectors.js";
import { codePoint } from "../../../../tools/test/code-point.js";

const { body, signature: good } = vector("V3");

/** The same bytes with one bit changed. */
function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}

describe("sign", () => {
  it.each(VECTORS.filter(({ id }) => id !== "V14"))(
    "SIG-01 makes the signature of $id",
    ({ secret, body: bytes, signature }) => {
      expect(sign(bytes, secret)).toBe(signature);
      expect(verify(bytes, signature, secret)).toBe(true);
    },
  );

  const long = Buffer.alloc(131, 0xaa);
  it.each<[number, Uint8Array, string | Uint8Array, string]>([
    [
      1,
      Buffer.alloc(20, 0x0b),
      "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ],
    [
      2,
      Buffer.from("Jefe"),
      "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    [
      3,
      Buffer.alloc(20, 0xaa),
      Buffer.alloc(50, 0xdd),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ],
    [
      4,
      Uint8Array.from({ length: 25 }, (_, n) => n + 1),
      Buffer.alloc(50, 0xcd),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ],
    [
      6,
      long,
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
    [
      7,
      long,
      "This is a test using a larger than block-size key and a larger than block-size data. " +
        "The key needs to be hashed before being used by the HMAC algorithm.",
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ],
  ])("makes the digest of test case %i of RFC 4231", (_, key, message, digest) => {
    expect(sign(message, key)).toBe(digest);
    expect(createVerifier(key).match(message, digest)).toBe("0");
  });

  it.each([0, 1, 63, 64, 65, 32_767, 32_769, 100_000])("signs a body of %i bytes", (length) => {
    const bytes = Buffer.alloc(length, "body");
    const expected = createHmac("sha256", SECRET).update(bytes).digest("hex");
    expect(sign(bytes, SECRET)).toBe(expected);
    expect(createVerifier(SECRET).match(bytes, expected)).toBe("0");
  });

  it("takes a secret as text or as the same bytes", () => {
    const { secret, body: bytes, signature } = vector("V9");
    expect(sign(bytes, Buffer.from(secret))).toBe(signature);
  });

  it("never trims a secret", () => {
    expect(sign(body, ` ${SECRET} `)).not.toBe(sign(body, SECRET));
  });
});

describe("verify", () => {
  it("SIG-02 refuses the digest with any one bit flipped", () => {
    const digest = Buffer.from(good, "hex");
    for (let bit = 0; bit < 256; bit++) {
      expect(verify(body, flipped(digest, bit).toString("hex"), SECRET)).toBe(false);
    }
  });

  it("SIG-03 refuses the body with any one bit flipped", () => {
    for (let bit = 0; bit < body.length * 8; bit++) {
      expect(verify(flipped(body, bit), good, SECRET)).toBe(false);
    }
  });

  const bad = "0".repeat(64);
  it.each<[string, unknown]>([
    ["SIG-04 undefined", undefined],
    ["SIG-04 null", null],
    ["SIG-04 empty text", ""],
    ["SIG-05 63 characters", good.slice(0, 63)],
    ["SIG-06 65 characters", `${good}a`],
    ["SIG-07 junk behind the digest", `${good}zz`],
    ["SIG-08 upper case", good.toUpperCase()],
    ["SIG-08 mixed case", good.replace("b", "B")],
    ["SIG-09 a prefix sha256=", `sha256=${good}`],
    ["SIG-09 a prefix v1=", `v1=${good}`],
    ["SIG-10 a leading blank", ` ${good}`],
    ["SIG-10 a trailing blank", `${good} `],
    ["SIG-10 a trailing line feed", `${good}\n`],
    ["SIG-11 a list, good first", `${good}, ${bad}`],
    ["SIG-11 a list, bad first", `${bad}, ${good}`],
    ["SIG-11 the digest twice with a comma", `${good}, ${good}`],
    ["SIG-11 the digest twice with a blank", `${good} ${good}`],
    ["SIG-12 an array", [good]],
    ["SIG-12 an array of two", [good, bad]],
    ["SIG-12 an empty array", []],
    ["SIG-13 base64", Buffer.from(good, "hex").toString("base64")],
    ["full-width digits", good.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + +digit))],
    ["a String object", new String(good)],
    ["bytes", Buffer.from(good)],
    ["an object that turns into the digest", { toString: () => good }],
    ["a number", 7],
    ["a symbol", Symbol(good)],
  ])("%s is not valid and no error", (_, signature) => {
    expect(verify(body, signature, SECRET)).toBe(false);
    expect(isSignature(signature)).toBe(false);
  });

  it("SIG-15 refuses the digest of the empty secret", () => {
    const { body: bytes, signature } = vector("V14");
    expect(verify(bytes, signature, [SECRET, "another"])).toBe(false);
  });

  it.each<[string, unknown]>([
    ["an object", { service_payload_type: "test" }],
    ["an array", [{ service_payload_type: "test" }]],
    ["null", null],
    ["undefined", undefined],
    ["an array of bytes", [...body]],
    ["an ArrayBuffer", new ArrayBuffer(2)],
  ])("SIG-16 takes %s for a mistake, whatever the signature", (_, parsed) => {
    for (const signature of [good, "junk", undefined]) {
      const error = thrown(() => verify(parsed as RawBody, signature, SECRET));
      expect(error.code).toBe("CONFIG_INVALID");
      expect(error.message).toContain("raw body");
    }
    expect(thrown(() => sign(parsed as RawBody, SECRET)).code).toBe("CONFIG_INVALID");
  });

  it("SIG-17 gives one verdict for all forms of the same bytes", () => {
    const { body: bytes, signature } = vector("V5");
    const view = new Uint8Array(Buffer.alloc(bytes.length + 20).buffer, 7, bytes.length);
    view.set(bytes);
    expect(view.byteOffset).toBe(7);
    for (const form of [bytes, Uint8Array.from(bytes), view, bytes.toString("utf8")]) {
      expect(verify(form, signature, SECRET)).toBe(true);
      expect(verify(form, flipped(Buffer.from(signature, "hex"), 0).toString("hex"), SECRET)).toBe(
        false,
      );
    }
  });

  it("SIG-18 accepts any secret of a rotation and no other", () => {
    const rotation = ["new-secret", "old-secret"];
    expect(verify(body, sign(body, "new-secret"), rotation)).toBe(true);
    expect(verify(body, sign(body, "old-secret"), rotation)).toBe(true);
    expect(verify(body, sign(body, "third-secret"), rotation)).toBe(false);
    expect(thrown(() => verify(body, good, [])).code).toBe("CONFIG_INVALID");
  });

  it("refuses any single change of the body", () => {
    const change = fc.record({
      bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }),
      at: fc.nat(),
      xor: fc.integer({ min: 1, max: 255 }),
      kind: fc.constantFrom("change", "insert", "remove"),
    });
    fc.assert(
      fc.property(change, ({ bytes, at, xor, kind }) => {
        const position = at % bytes.length;
        const copy = [...bytes];
        if (kind === "change") copy.splice(position, 1, (bytes[position] ?? 0) ^ xor);
        else if (kind === "insert") copy.splice(position, 0, xor);
        else copy.splice(position, 1);
        const signature = sign(bytes, SECRET);
        expect(verify(bytes, signature, SECRET)).toBe(true);
        expect(verify(Uint8Array.from(copy), signature, SECRET)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses any other text in place of the digest, and never throws", () => {
    const near = fc
      .tuple(fc.nat(63), fc.string({ maxLength: 3, unit: codePoint }))
      .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(near, fc.anything({ maxDepth: 1 })), (value) => {
        expect(verify(body, value, SECRET)).toBe(value === good);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the comparison", () => {
  /** Put something in place of `timingSafeEqual`, for everything that imports it. */
  function decideBy(timingSafeEqual: typeof crypto.timingSafeEqual): void {
    const original = crypto.timingSafeEqual;
    const put = (decide: typeof original): void => {
      crypto.timingSafeEqual = decide;
      syncBuiltinESMExports();
    };
    put(timingSafeEqual);
    onTestFinished(() => put(original));
  }
  const wrong = "0".repeat(64);

  it("SIG-19 is decided by the one of constant time, and by nothing else", () => {
    const verifier = createVerifier(SECRET);
    decideBy(() => true);
    expect([verify(body, wrong, SECRET), verifier.match(body, wrong)]).toEqual([true, "0"]);
    decideBy(() => false);
    expect([verify(body, good, SECRET), verifier.match(body, good)]).toEqual([false, undefined]);
  });

  it("SIG-19 is made with each secret, wherever the first one matches", () => {
    const compared: string[] = [];
    const textOf = (bytes: NodeJS.ArrayBufferView): string =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf16le");
    decideBy((one, other) => {
      compared.push(textOf(one), textOf(other));
      return textOf(one) === textOf(other);
    });
    expect(verify(body, good, [SECRET, "another", "third"])).toBe(true);
    expect(compared).toHaveLength(6);
    expect(compared.filter((text) => text === good)).toHaveLength(4);
  });
});

describe("createVerifier", () => {
  const named = (value: unknown): Secrets => [{ id: "a", value: value as SecretValue }];

  it.each<[string, unknown]>([
    ["an empty secret", ""],
    ["undefined", undefined],
    ["null", null],
    ["blanks", " \t\n"],
    ["no bytes", new Uint8Array(0)],
    ["bytes of blanks", Buffer.from(" \t\r\n")],
    ["a blank that takes several bytes", Buffer.from("\u2003\u00a0")],
    ["zeros, which sign as no bytes do", Buffer.alloc(32)],
    ["text of zeros", "\0\0"],
    ["a number", 42],
  ])("SIG-14 refuses %s at set-up", (_, secret) => {
    for (const secrets of [secret, [SECRET, secret], named(secret)]) {
      expect(thrown(() => createVerifier(secrets as Secrets)).code).toBe("CONFIG_INVALID");
    }
  });

  it.each<[string, Secrets]>([
    ["an empty list", []],
    [
      "equal ids",
      [
        { id: "a", value: "x" },
        { id: "a", value: "y" },
      ],
    ],
    ["an id that is also a position", ["x", { id: "0", value: "y" }]],
    ["an empty id", [{ id: "", value: "x" }]],
    ["an end that is misspelled", [{ id: "a", value: "x", notafter: "2026-03-01" } as NamedSecret]],
    ["an end that is no date", [{ id: "a", value: "x", notAfter: "tomorrow" }]],
    ["an invalid Date", [{ id: "a", value: "x", notAfter: new Date(NaN) }]],
    ["a named secret without a value", [{ id: "a" } as NamedSecret]],
  ])("refuses %s", (_, secrets) => {
    expect(thrown(() => createVerifier(secrets)).code).toBe("CONFIG_INVALID");
  });

  it("names the end that a misspelled one means, and shows no secret", () => {
    const secret = { id: "a", value: "hidden", notafter: "2026-03-01" };
    const error = thrown(() => createVerifier(["x", secret]));
    expect(error.message).toBe("`secrets[1].notafter`: unknown option; did you mean `notAfter`?");
  });

  it("tells which secret made the signature, by its id or its position", () => {
    const verifier = createVerifier(["first", { id: "spring", value: "second" }, "third"]);
    expect(verifier.match(body, sign(body, "first"))).toBe("0");
    expect(verifier.match(body, sign(body, "second"))).toBe("spring");
    expect(verifier.match(body, sign(body, "third"))).toBe("2");
    expect(verifier.match(body, sign(body, "fourth"))).toBeUndefined();
  });

  it.each<[string, Date | string]>([
    ["a Date", new Date("2026-03-01T00:00:00Z")],
    ["ISO text", "2026-03-01T00:00:00Z"],
  ])("retires a secret after the moment given as %s", (_, notAfter) => {
    const endMs = Date.parse("2026-03-01T00:00:00Z");
    let nowMs = endMs - 1000;
    const verifier = createVerifier([{ id: "old", value: "old", notAfter }, "new"], () => nowMs);
    const byOld = sign(body, "old");
    expect(verifier.match(body, byOld)).toBe("old");
    nowMs = endMs;
    expect(verifier.match(body, byOld)).toBe("old");
    nowMs = endMs + 1;
    expect(verifier.match(body, byOld)).toBeUndefined();
    expect(verifier.match(body, sign(body, "new"))).toBe("1");
  });

  it("keeps its secrets when the caller changes the list or the bytes", () => {
    const bytes = Buffer.from(SECRET);
    const list = [bytes];
    const verifier = createVerifier(list);
    bytes.fill(0);
    list.length = 0;
    expect(verifier.match(body, good)).toBe("0");
  });

  it("shows no secret and no digest in errors and inspected objects", () => {
    const secret = "s3cret-a8d1f";
    const verifier = createVerifier(secret);
    const seen = [
      verifier,
      thrown(() => verifier.match({ a: 1 } as unknown as RawBody, good)),
      thrown(() => createVerifier([{ id: "a", value: secret, notAfter: "never" }])),
      thrown(() => createVerifier([{ id: "", value: secret }])),
      thrown(() => createVerifier([secret, ""])),
    ];
    for (const value of seen) {
      const text = inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString("hex"));
      expect(text).not.toContain(good);
    }
  });
});
