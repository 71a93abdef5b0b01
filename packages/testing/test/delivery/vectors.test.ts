import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isRiskGateError, parseDelivery, verify } from "@riskgate/core";
import { describe, expect, it } from "vitest";

interface Bytes {
  readonly base64: string;
  readonly text?: string;
}

interface Vector {
  readonly name: string;
  readonly level: "must" | "should";
  readonly secrets: readonly Bytes[];
  readonly body: Bytes;
  readonly signatures: readonly string[];
  readonly expected: "valid" | "invalid";
  readonly parsed?: { elements: number; known: number } | { error: string };
}

const specifier = "@riskgate/testing/vectors/webhook-signatures.json";
const { vectors } = createRequire(import.meta.url)(specifier) as { vectors: readonly Vector[] };
const bytesOf = ({ base64 }: Bytes): Buffer => Buffer.from(base64, "base64");

const guide = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
const [, example = ""] = /^```python\n(.*?)^```$/ms.exec(guide) ?? [];

/** The example of the guide, and a run of it: the names of the vectors that it takes for valid. */
const PYTHON = `${example}
import base64, json, sys
for vector in json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]:
    body = base64.b64decode(vector["body"]["base64"])
    secrets = [base64.b64decode(secret["base64"]) for secret in vector["secrets"]]
    header = ", ".join(vector["signatures"])
    if any(is_from_service(body, header, secret) for secret in secrets):
        print(vector["name"])
`;

const namesOf = (expected: Vector["expected"]): string[] =>
  vectors.filter((vector) => vector.expected === expected).map(({ name }) => name);

describe("vectors of webhook signatures", () => {
  it("have names of their own, and both verdicts", () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    expect(namesOf("valid").length).toBeGreaterThan(25);
    expect(namesOf("invalid").length).toBeGreaterThan(20);
  });

  it("hold the digests that the specification of the cases has", () => {
    const digestOf = (name: string) => vectors.find((row) => row.name === name)?.signatures[0];
    expect(digestOf("empty array")).toMatch(/^78726a8d/);
    expect(digestOf("test payload")).toMatch(/^b3a2ea2d/);
    expect(digestOf("UTF-8 and emoji")).toMatch(/^06df41b4/);
    expect(digestOf("escape of a letter")).toMatch(/^b23507c8/);
    expect(digestOf("byte order mark")).toMatch(/^99e64fe4/);
    expect(digestOf("not UTF-8")).toMatch(/^952d8e8f/);
    expect(digestOf("secret in UTF-8")).toMatch(/^143a52ec/);
    expect(digestOf("secret of 100 bytes")).toMatch(/^bbe2f95e/);
  });

  it.each(vectors)("SIG-01 are judged alike by verify: $name", (vector) => {
    const { secrets, body, signatures, expected } = vector;
    // Two header lines reach an application as a list, which is no signature.
    const given = signatures.length === 1 ? signatures[0] : signatures;
    expect(verify(bytesOf(body), given, secrets.map(bytesOf))).toBe(expected === "valid");
  });

  it.each(vectors)("are judged alike by an HMAC of Node: $name", (vector) => {
    const { secrets, body, signatures, expected } = vector;
    const digests = secrets.map((secret) =>
      createHmac("sha256", bytesOf(secret)).update(bytesOf(body)).digest("hex"),
    );
    const isValid = signatures.length === 1 && digests.some((digest) => digest === signatures[0]);
    expect(isValid).toBe(expected === "valid");
  });

  it("are judged alike by the example in Python", async ({ skip }) => {
    const file = fileURLToPath(new URL("../../vectors/webhook-signatures.json", import.meta.url));
    const run = await promisify(execFile)("python3", ["-c", PYTHON, file]).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (run instanceof Error) {
      if (run.code === "ENOENT") skip("python3 is not installed");
      throw run;
    }
    expect(run.stdout.trim().split("\n")).toEqual(namesOf("valid"));
  });

  it.each(vectors.filter(({ expected }) => expected === "valid"))(
    "parse to what they say: $name",
    ({ body, parsed }) => {
      expect(outcomeOf(bytesOf(body))).toEqual(parsed);
    },
  );

  it("have the same bytes as text, where they are UTF-8", () => {
    const values = vectors.flatMap(({ secrets, body }) => [...secrets, body]);
    const texts = values.filter(({ text }) => text !== undefined);
    expect(texts.length).toBe(values.length - 2);
    expect(texts.map((value) => bytesOf(value).toString("utf8"))).toEqual(
      texts.map(({ text }) => text),
    );
  });
});

function outcomeOf(body: Buffer): Vector["parsed"] {
  try {
    const { elements, size } = parseDelivery(body);
    return { elements: size, known: elements.length };
  } catch (error) {
    if (isRiskGateError(error)) return { error: error.code };
    throw error;
  }
}
