import { parse } from "node:querystring";
import { describe, expect, it } from "vitest";
import { createFakeLookup, type FakeLookup } from "../../packages/testing/src/index.js";

/** An email that every gate of these tests rejects, and one that it allows. */
export const BAD = "bad@shop.example";
export const GOOD = "ada@shop.example";

/** A body that is sent with a content type, which it may not be. */
export interface BodyCase {
  readonly title: string;
  readonly type: string;
  readonly body: string;
}

/** What a handler made of a body. */
interface HandledBody {
  readonly status: number;
  /** The email that the handler read; undefined if it read none or was not called. */
  readonly email?: unknown;
}

const part = (head: string, value: string, end = "\r\n"): string =>
  ["--x", head, "", value, ""].join(end);
const field = (name: string, value: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
const quoted = 'Content-Disposition: form-data; name="email"';

const BODIES: Readonly<Record<string, string>> = {
  JSON: `{"email":"${BAD}"}`,
  "JSON behind a byte order mark": `\uFEFF{"email":"${BAD}"}`,
  "a form": "email=bad%40shop.example",
  "JSON that is also a form": `{"email":"${GOOD}","a":"&email=${BAD}&"}`,
  "a form in text": `Hello=you&email=${BAD}`,
  "a name in brackets": `[email]=${BAD}`,
  "a name with text behind a bracket": `[email]x=${BAD}`,
  "a list of one": `email[]=${BAD}`,
  "a name that is encoded": `%65mail=${BAD}`,
  "a form with two emails": `email=${GOOD}&email=${BAD}`,
  "a multipart form": `${field("email", BAD)}--x--\r\n`,
  "a multipart form without an end": field("email", BAD),
  "a multipart form with short line ends": `${part(quoted, BAD, "\n")}--x--\n`,
  "a multipart form behind text": `text\r\n${field("email", BAD)}--x--\r\n`,
  "a multipart form with two emails": `${field("email", GOOD)}${field("email", BAD)}--x--\r\n`,
  "a part without quotes": `${part(quoted.replaceAll('"', ""), BAD)}--x--\r\n`,
  "a part with an extended name": `${part(quoted.replace('"email"', "x; name*=utf-8''email"), BAD)}--x--\r\n`,
  "a part with a file name": `${part(`${quoted}; filename="a"`, BAD)}--x--\r\n`,
  "a part that is also a form": `${field("email", GOOD)}${field("a", `&email=${BAD}&`)}--x--\r\n`,
};

const TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/vnd.api+json",
  "application/octet-stream",
  "multipart/form-data; boundary=y; boundary=x",
] as const;

/** All bodies with all types: 133 cases. */
const BODY_CASES: readonly BodyCase[] = Object.entries(BODIES).flatMap(([title, body]) =>
  TYPES.map((type) => ({ title: `${title}, sent as ${type}`, type, body })),
);

/** Bodies of ordinary forms and clients, with `&`, `=` and `@` in free text. */
const ORDINARY_BODIES: readonly BodyCase[] = Array.from({ length: 1000 }, (_, index) => {
  const texts = [
    "Q&A = fun, ask @ada",
    "a=b&c=d",
    "R&D @ work = 50%",
    "me & you <3 = love @home",
    "see https://shop.example/?a=1&b=2",
    "x & email = later",
    "5 > 3 && 2 = 2; @media",
    "mail me @ noon & bring=cake",
  ];
  const bio = `${texts[index % texts.length]} ${index}`;
  const isForm = index % 2 === 1;
  return {
    title: `ordinary ${index}`,
    type: isForm ? "application/x-www-form-urlencoded" : "application/json",
    body: isForm
      ? String(new URLSearchParams({ email: GOOD, bio }))
      : JSON.stringify({ email: GOOD, bio, tags: [bio] }),
  };
});

/** Sends a body to a handler without a gate, or to the same handler behind one. */
export type SendBody = (
  sent: BodyCase,
  handler: string,
  isGated: boolean,
) => Promise<HandledBody> | HandledBody;

interface Readings {
  /** Paths of the handlers; the last segment is the name of a reader. */
  readonly handlers: readonly string[];
  /** Fewest readings of the bad email without a gate: with fewer, the handlers are not as usual. */
  readonly least: number;
  /** Starts the handlers at `/open/PATH`, and behind a gate with these options at `/gated/PATH`. */
  readonly start: (gate: {
    readonly lookup: FakeLookup;
    readonly ip: () => string | undefined;
  }) => Promise<{ readonly send: SendBody; readonly close?: () => Promise<unknown> }>;
}

/** Checks that a gate judges each email that a usual handler finds in one of the 133 bodies. */
export function bodyReadings(adapter: string, { handlers, least, start }: Readings): void {
  describe(`body readings ${adapter}`, () => {
    it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
      expect(BODY_CASES).toHaveLength(133);
      const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
      const { send, close } = await start({ lookup, ip: () => "9.9.9.9" });
      let bad = 0;
      const differing: string[] = [];
      for (const sent of BODY_CASES) {
        for (const handler of handlers) {
          if (!hasBad((await send(sent, handler, false)).email)) continue;
          bad++;
          const { email } = await send(sent, handler, true);
          if (hasBad(email)) differing.push(`${handler}: ${sent.title}`);
        }
      }
      await close?.();
      expect(differing).toEqual([]);
      expect(bad).toBeGreaterThanOrEqual(least);
    });

    it("looks up no further email for ordinary bodies", { timeout: 180_000 }, async () => {
      const lookup = createFakeLookup();
      const { send, close } = await start({ lookup, ip: () => undefined });
      for (const sent of ORDINARY_BODIES) {
        expect((await send(sent, handlers[0]!, true)).status).toBeLessThan(300);
      }
      await close?.();
      expect(lookup.calls.map(({ value }) => value)).toEqual(ORDINARY_BODIES.map(() => GOOD));
    });
  });
}

type Read<Body> = (body: Body) => unknown;

/** Reads an email from a body that a parser has left in the request. */
export const BODY_READERS: Readonly<Record<string, Read<unknown>>> = {
  "request.body": (body) => (body as { email?: unknown } | undefined)?.email,
  "JSON.parse": (body) => (JSON.parse(String(body)) as { email?: unknown }).email,
  URLSearchParams: (body) => new URLSearchParams(String(body)).get("email"),
  querystring: (body) => parse(String(body)).email,
};

/** A request, or a context that reads one. */
interface UnreadBody {
  json(): Promise<unknown>;
  text(): Promise<string>;
  formData(): Promise<Iterable<[string, unknown]> & { get(name: string): unknown }>;
}

/** Reads an email from a request that nobody has read yet. */
export const REQUEST_READERS: Readonly<Record<string, Read<UnreadBody>>> = {
  json: async (request) => ((await request.json()) as { email?: unknown }).email,
  "formData-first": async (request) => (await request.formData()).get("email"),
  "formData-last": async (request) => Object.fromEntries(await request.formData()).email,
  "URLSearchParams-first": async (request) =>
    new URLSearchParams(await request.text()).get("email"),
  "URLSearchParams-last": async (request) =>
    Object.fromEntries(new URLSearchParams(await request.text())).email,
};

/** Returns what the reader of a handler finds; undefined if it cannot read the body. */
export async function readWith<Body>(
  readers: Readonly<Record<string, Read<Body>>>,
  handler: string,
  body: Body,
): Promise<unknown> {
  const read = readers[handler.slice(handler.lastIndexOf("/") + 1)];
  if (!read) throw new Error(`no reader: ${handler}`);
  try {
    return await read(body);
  } catch {
    return undefined;
  }
}

/** Sends bodies to handlers on a port of this machine, which answer `{ email }`. */
export function sendToPort(port: number): SendBody {
  return async ({ type, body }, handler, isGated) => {
    const url = `http://127.0.0.1:${port}/${isGated ? "gated" : "open"}/${handler}`;
    const init = { method: "POST", headers: { "content-type": type }, body: Buffer.from(body) };
    const answer = await fetch(url, init);
    const text = await answer.text();
    const { email } = (text.startsWith("{") ? JSON.parse(text) : {}) as { email?: unknown };
    return { status: answer.status, email };
  };
}

/** A handler may turn a list into text. */
function hasBad(email: unknown): boolean {
  return JSON.stringify(email ?? null).includes(BAD);
}
