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
export interface HandledBody {
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

/** All bodies with all types: 126 cases. */
export const BODY_CASES: readonly BodyCase[] = Object.entries(BODIES).flatMap(([title, body]) =>
  TYPES.map((type) => ({ title: `${title}, sent as ${type}`, type, body })),
);

/** Bodies of ordinary forms and clients, with `&`, `=` and `@` in free text. */
export const ORDINARY_BODIES: readonly BodyCase[] = Array.from({ length: 1000 }, (_, index) => {
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

/**
 * Sends every body to every handler, without a gate and then behind one.
 *
 * @param send Returns what the handler made of a body.
 * @returns Number of readings that have the bad email, and those of them that the gate let pass.
 */
export async function differingReadings(
  handlers: readonly string[],
  send: (sent: BodyCase, handler: string, isGated: boolean) => Promise<HandledBody>,
): Promise<{ readonly bad: number; readonly differing: string[] }> {
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
  return { bad, differing };
}

/** A handler may turn a list into text. */
function hasBad(email: unknown): boolean {
  return JSON.stringify(email ?? null).includes(BAD);
}
