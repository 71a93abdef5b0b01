import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A local verification endpoint of a CAPTCHA service. */
export interface FakeCaptcha {
  readonly url: string;
  /** Members of each request, in order. */
  readonly asked: readonly Readonly<Record<string, string>>[];
  /** Solves a CAPTCHA and returns the response that the widget passes to the page. */
  solve(answer?: Readonly<Record<string, unknown>>): string;
  /** Answers the next request with this instead; null never answers. */
  break(
    answer: { readonly status: number; readonly text: string; readonly to?: string } | null,
  ): void;
  close(): Promise<void>;
}

/** The differences between the services. */
export interface CaptchaRules {
  readonly secret: string;
  readonly mediaTypes: readonly string[];
  /** Code for a response that was verified before. */
  readonly usedCode: string;
  /** Members of a good answer beside `success`, `error-codes`, `challenge_ts` and `hostname`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Cloudflare's `siteverify` takes JSON and forms. Source: its page on server-side validation. */
export const TURNSTILE: CaptchaRules = {
  secret: "0x4AAAAAAA-turnstile-secret",
  mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
  usedCode: "timeout-or-duplicate",
  members: { action: "signup", cdata: "", metadata: { interactive: false } },
};

/** hCaptcha's `siteverify` takes forms only. Source: its developer guide. */
export const HCAPTCHA: CaptchaRules = {
  secret: "0x0000-hcaptcha-secret",
  mediaTypes: ["application/x-www-form-urlencoded"],
  usedCode: "already-seen-response",
  members: { credit: false },
};

/** Serves one of them. Each response is valid once. */
export async function serveCaptcha(rules: CaptchaRules): Promise<FakeCaptcha> {
  const asked: Record<string, string>[] = [];
  const solved = new Map<string, Readonly<Record<string, unknown>>>();
  const used = new Set<string>();
  const broken: Parameters<FakeCaptcha["break"]>[0][] = [];

  const answerTo = (given: Record<string, string>): object => {
    const refuse = (code: string) => ({ success: false, "error-codes": [code] });
    const { secret = "", response = "" } = given;
    if (secret === "") return refuse("missing-input-secret");
    if (secret !== rules.secret) return refuse("invalid-input-secret");
    if (response === "") return refuse("missing-input-response");
    if (used.has(response)) return refuse(rules.usedCode);
    const answer = solved.get(response);
    if (!answer) return refuse("invalid-input-response");
    used.add(response);
    const challenge_ts = new Date().toISOString();
    const good = { success: true, "error-codes": [], challenge_ts, hostname: "shop.example" };
    return { ...good, ...rules.members, ...answer };
  };
  const server = createServer((request, response) => {
    void membersOf(request, rules.mediaTypes).then((given) => {
      if (given) asked.push(given);
      const instead = broken.shift();
      if (instead === null) return;
      if (instead) {
        const headers = instead.to === undefined ? {} : { location: instead.to };
        response.writeHead(instead.status, headers).end(instead.text);
        return;
      }
      const answer = given ? answerTo(given) : { success: false, "error-codes": ["bad-request"] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    asked,
    solve(answer = {}) {
      const response = `solved-${solved.size}`;
      solved.set(response, answer);
      return response;
    },
    break: (answer) => void broken.push(answer),
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the members of a POST in one of these forms; undefined for any other request. */
async function membersOf(
  request: IncomingMessage,
  mediaTypes: readonly string[],
): Promise<Record<string, string> | undefined> {
  const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const type = request.headers["content-type"]?.split(";")[0] ?? "";
  if (request.method !== "POST" || !mediaTypes.includes(type)) return undefined;
  if (type === "application/json") return JSON.parse(text) as Record<string, string>;
  return Object.fromEntries(new URLSearchParams(text));
}
