import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loginWatch, type LambdaEvent, type Reporter } from "../src/index.js";

type LoginReport = Parameters<Reporter["login"]>[0];

const context = { getRemainingTimeInMillis: () => 60_000 };

const login = (more: object = {}): LambdaEvent => ({
  rawPath: "/login",
  headers: { "content-type": "application/json", "user-agent": "browser/1" },
  requestContext: { http: { method: "POST", sourceIp: "8.8.8.8" } },
  body: JSON.stringify({ email: "ann@shop.example" }),
  ...more,
});

const v1 = () =>
  login({ httpMethod: "POST", requestContext: { identity: { sourceIp: "8.8.8.8" } } });

function collected(flush: () => Promise<void> = async () => {}) {
  const logins: LoginReport[] = [];
  const reporter = { login: (one: LoginReport) => void logins.push(one), flush };
  return { logins, reporter: reporter as unknown as Reporter };
}

describe("loginWatch for Lambda", () => {
  it("reads the outcome from every form of result", async () => {
    for (const [event, result, expected] of [
      [login(), { statusCode: 401 }, [false]],
      [login(), { statusCode: "302" }, [true]],
      [login(), { token: "x" }, [true]],
      [login(), "text", [true]],
      [login(), undefined, [true]],
      [v1(), { statusCode: 403 }, [false]],
      // A gateway answers these with 502.
      [v1(), { token: "x" }, []],
      [login(), { statusCode: 503 }, []],
    ] as const) {
      const { logins, reporter } = collected();
      const handler = loginWatch({ reporter }, async () => result);
      expect(await handler(event, context)).toBe(result);
      expect(
        logins.map(({ success }) => success),
        JSON.stringify(result),
      ).toEqual(expected);
    }
  });

  it("passes on what the gate decided, and gives the result to `success`", async () => {
    const { logins, reporter } = collected();
    const success = (_request: Request, _event: LambdaEvent, { body }: { body: string }) =>
      body === "welcome";
    const handler = loginWatch({ reporter, success }, async (_event, _context, more: string) => ({
      statusCode: 200,
      body: more,
    }));
    await handler(login(), context, "wrong");
    await handler(login(), context, "welcome");
    expect(logins).toEqual([
      { account: "ann@shop.example", address: "8.8.8.8", userAgent: "browser/1", success: false },
      { account: "ann@shop.example", address: "8.8.8.8", userAgent: "browser/1", success: true },
    ]);
  });

  it("returns once the report is sent, for at most a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let finish = (): void => {};
    const { reporter } = collected(() => new Promise((resolve) => (finish = resolve)));
    const handler = loginWatch({ reporter }, async () => ({ statusCode: 401 }));
    const results: unknown[] = [];
    const call = async (): Promise<void> => void results.push(await handler(login(), context));
    const sent = call();
    await vi.advanceTimersByTimeAsync(900);
    expect(results).toEqual([]);
    finish();
    await sent;
    expect(results).toEqual([{ statusCode: 401 }]);
    const late = call();
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
    expect(results).toHaveLength(2);
  });

  it("refuses an event that is not a request, before the handler runs", async () => {
    const { reporter } = collected();
    const run = vi.fn<() => Promise<{ statusCode: number }>>(async () => ({ statusCode: 200 }));
    const handler = loginWatch({ reporter }, run);
    await expect(handler({} as LambdaEvent, context)).rejects.toThrow("not an HTTP request");
    expect(run).not.toHaveBeenCalled();
  });
});
