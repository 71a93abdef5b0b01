// Writes the vectors of webhook signatures that `@riskgate/testing` ships for other languages. A test
// compares the file with the table below, and its digests with those of other programs.
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { root } from "./workspace.mjs";

/**
 * One row. Without `header`, the header contains the digest of the body by the first secret.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string | Buffer} body
 * @property {(string | Buffer)[]} [secrets] The receiver's secrets; default: one.
 * @property {(digest: string) => string[]} [header] Values of the header lines.
 * @property {"must" | "should"} [level] `must` if the specification requires the result, `should` if we recommend it.
 * @property {object} [parsed] The parsed body of a valid vector.
 */

export const VECTORS_FILE = "packages/testing/vectors/webhook-signatures.json";

const SECRET = "hook-secret-1";
const TEST = '[{"service_payload_type":"test"}]';
const NOT_UTF8 = Buffer.concat([
  Buffer.from('[{"service_payload_type":"test","note":"'),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('"}]'),
]);

const ONE = { elements: 1, known: 1 };
const NONE = { elements: 0, known: 0 };
const NOT_JSON = { error: "INVALID_JSON" };
const NO_ARRAY = { error: "INVALID_PAYLOAD" };

/** @param {string} of @param {string} [secret] */
const digestOf = (of, secret = SECRET) => createHmac("sha256", secret).update(of).digest("hex");

/** @type {Row[]} */
const VALID = [
  { name: "empty array", body: "[]", parsed: NONE },
  { name: "empty array with a blank", body: "[ ]", parsed: NONE },
  { name: "test payload", body: TEST, parsed: ONE },
  { name: "line feed at the end", body: `${TEST}\n`, parsed: ONE },
  { name: "CR LF between brackets", body: "[\r\n]", parsed: NONE },
  {
    name: "blanks as Python writes them",
    body: '[{"service_payload_type": "test", "risk": 42}]',
    parsed: ONE,
  },
  {
    name: "UTF-8 and emoji",
    body: '[{"service_payload_type":"test","note":"h\u00e9llo \u2665 \u{1f512}"}]',
    parsed: ONE,
  },
  {
    name: "escape of a letter",
    body: String.raw`[{"service_payload_type":"test","note":"h\u00e9llo"}]`,
    parsed: ONE,
  },
  {
    name: "escaped slash and surrogate pair",
    body: String.raw`[{"service_payload_type":"test","note":"\/ \ud83d\udd12"}]`,
    parsed: ONE,
  },
  {
    name: "numbers in other spellings",
    body: '[{"service_payload_type":"test","risk":42.0,"big":1E2}]',
    parsed: ONE,
  },
  {
    name: "key twice, the last counts",
    body: '[{"service_payload_type":"pulse","service_payload_type":"test"}]',
    parsed: ONE,
  },
  {
    name: "member __proto__",
    body: '[{"service_payload_type":"test","__proto__":{"polluted":1}}]',
    parsed: ONE,
  },
  {
    name: "unknown type between known ones",
    body: '[{"service_payload_type":"test"},{"service_payload_type":"later"},{"service_payload_type":"test"}]',
    parsed: { elements: 3, known: 2 },
  },
  {
    name: "malformed elements between known ones",
    body: `[{"service_payload_type":"test"},null,42,"x",[],{},{"service_payload_type":"test"}]`,
    parsed: { elements: 7, known: 2 },
  },
  {
    name: "1,000 elements",
    body: `[${Array(1000).fill("{}").join(",")}]`,
    parsed: { elements: 1000, known: 0 },
  },
  { name: "byte order mark", body: `\ufeff${TEST}`, parsed: ONE },
  { name: "not UTF-8", body: NOT_UTF8, parsed: { error: "INVALID_ENCODING" } },
  { name: "no bytes", body: "", parsed: NOT_JSON },
  { name: "half an array", body: "[", parsed: NOT_JSON },
  { name: "comma too many", body: "[1,]", parsed: NOT_JSON },
  { name: "NUL between brackets", body: "[\0]", parsed: NOT_JSON },
  { name: "object instead of an array", body: TEST.slice(1, -1), parsed: NO_ARRAY },
  { name: "null instead of an array", body: "null", parsed: NO_ARRAY },
  {
    name: "1,001 elements",
    body: `[${Array(1001).fill("{}").join(",")}]`,
    parsed: { error: "TOO_MANY_EVENTS" },
  },
  { name: "secret in UTF-8", body: "[]", secrets: ["cl\u00e9-\u{1f511}"], parsed: NONE },
  { name: "secret with blanks around it", body: "[]", secrets: [" secret "], parsed: NONE },
  { name: "secret of 64 bytes", body: "[]", secrets: ["k".repeat(64)], parsed: NONE },
  { name: "secret of 100 bytes", body: "[]", secrets: ["k".repeat(100)], parsed: NONE },
  {
    name: "secret that is not UTF-8",
    body: "[]",
    secrets: [Buffer.from([0x00, 0xff, 0x80, 0x7f])],
    parsed: NONE,
  },
  {
    name: "rotation, signed with the new secret",
    body: TEST,
    secrets: ["new-secret", "old-secret"],
    parsed: ONE,
  },
  {
    name: "rotation, signed with the old secret",
    body: TEST,
    secrets: ["new-secret", "old-secret"],
    header: () => [digestOf(TEST, "old-secret")],
    parsed: ONE,
  },
];

/** @type {Row[]} */
const INVALID = [
  { name: "no header", body: TEST, header: () => [] },
  { name: "empty header", body: TEST, header: () => [""] },
  { name: "word instead of a digest", body: TEST, header: () => ["signature"] },
  { name: "64 zeros", body: TEST, header: () => ["0".repeat(64)] },
  { name: "first digit alone", body: TEST, header: (good) => [good.slice(0, 1)] },
  { name: "last digit missing", body: TEST, header: (good) => [good.slice(0, -1)] },
  { name: "digit too many", body: TEST, header: (good) => [`${good}a`] },
  { name: "two letters too many", body: TEST, header: (good) => [`${good}zz`] },
  { name: "last digit changed", body: TEST, header: (good) => [`${good.slice(0, -1)}4`] },
  { name: "first digit changed", body: TEST, header: (good) => [`a${good.slice(1)}`] },
  { name: "prefix sha256=", body: TEST, header: (good) => [`sha256=${good}`] },
  {
    name: "base64 of the digest",
    body: TEST,
    header: (good) => [Buffer.from(good, "hex").toString("base64")],
  },
  { name: "other secret", body: TEST, header: () => [digestOf(TEST, "hook-secret-2")] },
  { name: "empty secret", body: "[]", header: () => [digestOf("[]", "")] },
  { name: "blank added after signing", body: "[ ]", header: () => [digestOf("[]")] },
  { name: "blank removed after signing", body: "[]", header: () => [digestOf("[ ]")] },
  { name: "line feed added after signing", body: `${TEST}\n`, header: () => [digestOf(TEST)] },
  {
    name: "keys in another order than signed",
    body: '[{"b":1,"a":2}]',
    header: () => [digestOf('[{"a":2,"b":1}]')],
  },
  {
    name: "escape written out after signing",
    body: '["\u00e9"]',
    header: () => [digestOf(String.raw`["\u00e9"]`)],
  },
  {
    name: "byte order mark added after signing",
    body: `\ufeff${TEST}`,
    header: () => [digestOf(TEST)],
  },
  {
    name: "rotation, signed with a third secret",
    body: TEST,
    secrets: ["new-secret", "old-secret"],
    header: () => [digestOf(TEST)],
  },
  {
    name: "digest in upper case",
    level: "should",
    body: TEST,
    header: (good) => [good.toUpperCase()],
  },
  {
    name: "good digest twice on a line",
    level: "should",
    body: TEST,
    header: (good) => [`${good}, ${good}`],
  },
  {
    name: "two lines, good and bad",
    level: "should",
    body: TEST,
    header: (good) => [good, "0".repeat(64)],
  },
  {
    name: "two lines, bad and good",
    level: "should",
    body: TEST,
    header: (good) => ["0".repeat(64), good],
  },
];

/** Returns the file as text, in the style of the repository. */
export async function vectorsText() {
  const document = {
    about:
      "Signatures of webhook deliveries. A receiver computes the HMAC-SHA-256 of the body, as bytes, with the secret, and compares its 64 lowercase hex digits with the header. Any of several secrets may match. `level` is must where the specification demands the verdict. `parsed` is what follows from a valid body: its elements and how many have a known type, or why it is refused.",
    header: "X-Service-Integrity",
    vectors: [
      ...VALID.map((row) => vectorOf(row, true)),
      ...INVALID.map((row) => vectorOf(row, false)),
    ],
  };
  return format(JSON.stringify(document), { parser: "json", printWidth: 100 });
}

/** @param {Row} row @param {boolean} isValid */
function vectorOf(
  { name, body, secrets = [SECRET], header = (good) => [good], level = "must", parsed },
  isValid,
) {
  const good = createHmac("sha256", secrets[0] ?? "")
    .update(body)
    .digest("hex");
  return {
    name,
    level,
    secrets: secrets.map(bytesOf),
    body: bytesOf(body),
    signatures: header(good),
    expected: isValid ? "valid" : "invalid",
    ...(parsed && { parsed }),
  };
}

/** @param {string | Buffer} value */
function bytesOf(value) {
  const base64 = Buffer.from(value).toString("base64");
  return typeof value === "string" ? { base64, text: value } : { base64 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, VECTORS_FILE), await vectorsText());
}
