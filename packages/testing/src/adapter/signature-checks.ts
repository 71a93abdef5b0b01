import { deepEqual, equal } from "node:assert/strict";
import type { TestPayload } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import type { RawAnswer } from "../http/raw-answer.js";
import { type RawRequest, rawRequest } from "../http/raw-request.js";
import { signDelivery } from "../delivery/sign-delivery.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import {
  collecting,
  HOOK,
  JSON_TYPE,
  type Lines,
  problemBody,
  SECRETS,
  signedBy,
  V3,
  V3_LINES,
} from "./known.js";

const WRONG = "0".repeat(64);
const REFUSED = problemBody(401, "SIGNATURE_INVALID", "The signature is missing or wrong");

const request = (headers: Lines, more: Partial<RawRequest> = {}): RawRequest => ({
  path: HOOK,
  headers,
  body: V3.body,
  ...more,
});

function verdictCheck(
  id: string,
  title: string,
  isAccepted: boolean,
  requests: readonly RawRequest[],
): ContractCheck<AdapterHarness> {
  return adapterCheck(id, title, async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen, OFF) }] });
    for (const row of requests) {
      const answer = await rawRequest(port, row);
      equal(answer.status, isAccepted ? 204 : 401, JSON.stringify(row.headers));
      equal(answer.body, isAccepted ? "" : REFUSED);
    }
    equal(seen.length, isAccepted ? requests.length : 0);
  });
}

const OFF = { seen: false } as const;

/** Checks that only the signature header decides. */
export const signatureChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck("WHR-01", "passes a signed delivery to its handler", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const answer = await rawRequest(port, request(V3_LINES));
    equal(answer.status, 204);
    deepEqual(
      seen.map((payload) => payload.service_payload_type),
      ["test"],
    );
  }),
  verdictCheck("WHR-02", "refuses a delivery without a signature", false, [request([JSON_TYPE])]),
  verdictCheck("WHR-03", "refuses two signature lines, whatever they contain", false, [
    request([JSON_TYPE, signedBy(V3.digest), signedBy(WRONG)]),
    request([JSON_TYPE, signedBy(WRONG), signedBy(V3.digest)]),
    request([JSON_TYPE, signedBy(V3.digest), signedBy(V3.digest)]),
  ]),
  verdictCheck(
    "WHR-04",
    "reads the header name in any case",
    true,
    ["x-service-integrity", "X-SERVICE-INTEGRITY", "x-SeRvIcE-iNtEgRiTy"].map((name) =>
      request([JSON_TYPE, [name, V3.digest]]),
    ),
  ),
  verdictCheck("WHR-05", "reads past blanks and tabs around the value", true, [
    request([JSON_TYPE, signedBy(`\t  ${V3.digest} \t `)]),
  ]),
  verdictCheck("WHR-06", "refuses a signature in a trailer", false, [
    request([JSON_TYPE, ["Trailer", "X-Service-Integrity"]], { trailers: [signedBy(V3.digest)] }),
    request([JSON_TYPE], { trailers: [signedBy(V3.digest)] }),
  ]),
  verdictCheck("WHR-07", "refuses a header spelled with underscores", false, [
    request([JSON_TYPE, ["X_Service_Integrity", V3.digest]]),
  ]),
  adapterCheck("WHR-28", "answers every bad signature alike, byte for byte", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const port = await serve({ webhooks: [{ path: HOOK, options: collecting(seen) }] });
    const other = signDelivery(V3.body, SECRETS[1]!).signature;
    const values: Lines[] = [
      [],
      [signedBy("")],
      [signedBy("not a digest")],
      [signedBy(V3.digest.toUpperCase())],
      [signedBy(`${V3.digest}0`)],
      [signedBy(WRONG)],
      [signedBy(other)],
    ];
    const answers: unknown[] = [];
    for (const lines of values) {
      answers.push(telling(await rawRequest(port, request([JSON_TYPE, ...lines]))));
      answers.push(
        telling(await rawRequest(port, request([JSON_TYPE, ...lines], { trailers: [] }))),
      );
    }
    for (const answer of answers) deepEqual(answer, answers[0]);
    equal((answers[0] as { status: number }).status, 401);
    equal(seen.length, 0);
  }),
  adapterCheck("WHR-31", "keeps the secrets of two routes apart", async ({ serve }) => {
    const seen: TestPayload[] = [];
    const [first = "", second = ""] = SECRETS;
    const port = await serve({
      webhooks: [
        { path: "/a", options: collecting(seen, { secrets: first }) },
        { path: "/b", options: collecting(seen, { secrets: second }) },
      ],
    });
    equal((await rawRequest(port, request(V3_LINES, { path: "/b" }))).status, 401);
    equal(seen.length, 0);
    equal((await rawRequest(port, request(V3_LINES, { path: "/a" }))).status, 204);
    equal(seen.length, 1);
  }),
];

function telling({ status, lines, body }: RawAnswer): object {
  return { status, lines: lines.filter(([name]) => name !== "date"), body };
}
