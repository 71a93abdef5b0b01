/** A response as a test reads it. */
export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookies: readonly string[];
}

/** Sends requests with the cookies of earlier responses, and follows no redirect. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  constructor(base: string) {
    this.#base = base;
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(new URL(`/api/auth${path}`, this.#base), {
      method: "POST",
      headers: { "content-type": "application/json", origin: this.#base, ...headers },
      body: JSON.stringify(body),
    });
  }

  async get(url: string): Promise<Answer> {
    return this.#send(new URL(url, this.#base), {});
  }

  async #send(url: URL, init: RequestInit): Promise<Answer> {
    const headers = new Headers(init.headers);
    headers.set("x-real-ip", "203.0.113.7");
    headers.set("connection", "close");
    const isOurs = url.href.startsWith(this.#base);
    if (isOurs && this.#cookies.size > 0) {
      headers.set(
        "cookie",
        [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      );
    }
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    const cookies = response.headers.getSetCookie();
    for (const cookie of isOurs ? cookies : []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get("location") ?? undefined,
      body: text.startsWith("{") ? (JSON.parse(text) as Answer["body"]) : {},
      cookies: cookies.map((cookie) => cookie.split("=")[0] ?? ""),
    };
  }
}
