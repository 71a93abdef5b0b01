import type { RawRequest } from "../http/raw-request.js";
import {
  deliveryRequest,
  HOOK,
  JSON_TYPE,
  type Lines,
  problemBody,
  signedBy,
  V3,
  V3_LINES,
} from "./known.js";
import { SIGN_UP } from "./sign-up.js";

/** A request with its response, which is the same in every framework. */
export interface ParityRow {
  readonly title: string;
  readonly request: RawRequest;
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Expected = Omit<ParityRow, "title" | "request">;

const refusal = (
  status: number,
  code: string,
  title: string,
  headers: Readonly<Record<string, string>> = {},
): Expected => ({
  status,
  body: problemBody(status, code, title),
  contentType: "application/problem+json; charset=utf-8",
  headers: { "cache-control": "no-store", ...headers },
});

const HANDLED: Expected = { status: 204, body: "" };
const STORED: Expected = { status: 202, body: "", headers: { "content-length": "0" } };
const METHOD = refusal(405, "METHOD_NOT_ALLOWED", "Deliver with POST", { allow: "POST" });
const UNSIGNED = refusal(401, "SIGNATURE_INVALID", "The signature is missing or wrong");
const MEDIA_TYPE = refusal(
  415,
  "UNSUPPORTED_MEDIA_TYPE",
  "Expected application/json in UTF-8 without content encoding",
);
const CLOSE = { connection: "close" };
const TOO_LARGE = refusal(413, "BODY_TOO_LARGE", "The body is too large", CLOSE);
const NOT_JSON = refusal(400, "INVALID_JSON", "The body is not JSON");
const NO_ARRAY = refusal(400, "INVALID_PAYLOAD", "The body is not an array");
const NOT_UTF8 = refusal(400, "INVALID_ENCODING", "The body is not valid UTF-8");
const TOO_MANY = refusal(400, "TOO_MANY_EVENTS", "The array has over 1,000 elements");
const FAILED = refusal(500, "HANDLER_FAILED", "A handler failed");

const PASSED: Expected = {
  status: 200,
  body: '{"passed":true}',
  contentType: "application/json; charset=utf-8",
};
const REJECTED = refusal(403, "RISK_REJECTED", "The request was refused");
const DOWN = refusal(503, "RISK_UNAVAILABLE", "The request cannot be checked at the moment", {
  "retry-after": "5",
});
const NO_STRING = refusal(400, "IDENTIFIER_INVALID", "The email address must be a string");

export const INBOX = "/inbox";

/** Limit of the webhook that receives the rows. */
export const PARITY_MAX_BYTES = 8192;

const hook = (headers: Lines, more: Partial<RawRequest> = {}): RawRequest => ({
  path: HOOK,
  headers,
  body: V3.body,
  ...more,
});
const typed = (type: string): RawRequest => hook([["Content-Type", type], signedBy(V3.digest)]);
const method = (name: string): RawRequest => hook(V3_LINES, { method: name });
const signed = (payloads: Parameters<typeof deliveryRequest>[0]): RawRequest =>
  deliveryRequest(payloads);
const signUp = (body: unknown, ip?: string): RawRequest => ({
  path: SIGN_UP,
  headers: ip === undefined ? [JSON_TYPE] : [JSON_TYPE, ["X-Forwarded-For", ip]],
  body: JSON.stringify(body),
});
const form = (body: string): RawRequest => ({
  path: SIGN_UP,
  headers: [["Content-Type", "application/x-www-form-urlencoded"]],
  body,
});
const event = { service_payload_type: "security_event" };
const row = (title: string, request: RawRequest, expected: Expected): ParityRow => ({
  title,
  request,
  ...expected,
});

const DELIVERIES: readonly ParityRow[] = [
  row("a signed delivery", hook(V3_LINES), HANDLED),
  row("a signed delivery in chunks", hook(V3_LINES, { trailers: [] }), HANDLED),
  row("a query behind the path", hook(V3_LINES, { path: `${HOOK}?a=1` }), HANDLED),
  row("an empty array", signed([]), HANDLED),
  row("a delivery that is stored", hook(V3_LINES, { path: INBOX }), STORED),
  row("an array with blanks and a line end", signed("[ ]\r\n"), HANDLED),
  row("a leading BOM", signed(Buffer.from("\ufeff[]")), HANDLED),
  row("an unknown payload type", signed([{ service_payload_type: "later" }]), HANDLED),
  row("an event of no known handler", signed([event]), HANDLED),
  row("elements that are not payloads", signed([null, 1, "x", [], {}]), HANDLED),
  row("1,000 elements", signed(`[${"0,".repeat(999)}0]`), HANDLED),
  row("GET", method("GET"), METHOD),
  row("PUT", method("PUT"), METHOD),
  row("PATCH", method("PATCH"), METHOD),
  row("DELETE", method("DELETE"), METHOD),
  row("OPTIONS", method("OPTIONS"), METHOD),
  row("TRACE", method("TRACE"), METHOD),
  row("HEAD", method("HEAD"), { ...METHOD, body: "" }),
  row("GET without a body", { method: "GET", path: HOOK }, METHOD),
  row("no header at all", { path: HOOK, body: V3.body }, UNSIGNED),
  row("no signature", hook([JSON_TYPE]), UNSIGNED),
  row("an empty signature", hook([JSON_TYPE, signedBy("")]), UNSIGNED),
  row("a signature in upper case", hook([JSON_TYPE, signedBy(V3.digest.toUpperCase())]), UNSIGNED),
  row("a prefix", hook([JSON_TYPE, signedBy(`sha256=${V3.digest}`)]), UNSIGNED),
  row("two signatures", hook([JSON_TYPE, signedBy(V3.digest), signedBy(V3.digest)]), UNSIGNED),
  row("the signature of another body", hook(V3_LINES, { body: `${V3.body}\n` }), UNSIGNED),
  row("neither signature nor known type", hook([["Content-Type", "text/xml"]]), UNSIGNED),
  row("no content type", hook([signedBy(V3.digest)]), MEDIA_TYPE),
  row("text", typed("text/plain"), MEDIA_TYPE),
  row("a form", typed("application/x-www-form-urlencoded"), MEDIA_TYPE),
  row("several parts", typed("multipart/form-data; boundary=x"), MEDIA_TYPE),
  row("another charset", typed("application/json; charset=utf-16"), MEDIA_TYPE),
  row("an invalid type", typed("application/json<x>"), MEDIA_TYPE),
  row("gzip", hook([...V3_LINES, ["Content-Encoding", "gzip"]]), MEDIA_TYPE),
  row(
    "the content encoding identity",
    hook([...V3_LINES, ["Content-Encoding", "identity"]]),
    HANDLED,
  ),
  row("a long body", hook(V3_LINES, { body: " ".repeat(PARITY_MAX_BYTES + 1) }), TOO_LARGE),
  row(
    "a long body in chunks",
    hook(V3_LINES, { body: " ".repeat(PARITY_MAX_BYTES + 1), trailers: [] }),
    TOO_LARGE,
  ),
  row("an empty body", signed(""), NOT_JSON),
  row("an empty body with a wrong signature", hook(V3_LINES, { body: "" }), UNSIGNED),
  row("broken JSON", signed("[1,]"), NOT_JSON),
  row("JSON that is not an array", signed("{}"), NO_ARRAY),
  row("invalid UTF-8", signed(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), NOT_UTF8),
  row("1,001 elements", signed(`[${"0,".repeat(1000)}0]`), TOO_MANY),
  row("a handler that fails", signed([{ service_payload_type: "pulse" }]), FAILED),
];

/** Sign-ups; scores are those of {@link PARITY_ANSWERS}. */
const SIGN_UPS: readonly ParityRow[] = [
  row("a good email", signUp({ email: "good@shop.example" }), PASSED),
  row("a bad email", signUp({ email: "bad@shop.example" }), REJECTED),
  row("a bad email with a domain in upper case", signUp({ email: "bad@SHOP.example" }), REJECTED),
  row("a bad address", signUp({ email: "good@shop.example" }, "9.9.9.9"), REJECTED),
  row("a bad address written as IPv6", signUp({}, "::ffff:9.9.9.9"), REJECTED),
  row("a bad address with a port", signUp({}, "9.9.9.9:443"), REJECTED),
  row("a bad address behind a good one", signUp({}, "9.9.9.9, 8.8.8.8"), PASSED),
  row("a private address", signUp({}, "10.0.0.1"), PASSED),
  row("an invalid address", signUp({}, "unknown"), DOWN),
  row("an email that is not answered", signUp({ email: "down@shop.example" }), DOWN),
  row("no email", signUp({}), PASSED),
  row("an array as the body", signUp([{ email: "bad@shop.example" }]), PASSED),
  row("a number as the email", signUp({ email: 5 }), NO_STRING),
  row("null as the email", signUp({ email: null }), NO_STRING),
  row("a list as the email", signUp({ email: ["good@shop.example"] }), NO_STRING),
  row("an email of 321 bytes", signUp({ email: `${"a".repeat(310)}@x.example.y` }), DOWN),
  row("a good form", form("email=good%40shop.example"), PASSED),
  row("a bad form", form("email=bad%40shop.example"), REJECTED),
  row("a form with two emails", form("email=a%40x.y&email=b%40x.y"), NO_STRING),
  row("a form with an object", form("email[x]=a%40x.y"), NO_STRING),
];

/** Fixed requests with their responses in every framework. */
export const PARITY_ROWS: readonly ParityRow[] = [...DELIVERIES, ...SIGN_UPS];
