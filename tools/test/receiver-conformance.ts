import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Path of a receiver's route. */
export const PATH = "/webhooks/security";

const SECRET = "conformance-secret-1";

interface Check {
  readonly id: string;
  readonly title: string;
  readonly timeoutMs: number;
  run(target: {
    readonly url: URL;
    readonly secret: string;
    readonly timeoutMs: number;
  }): Promise<void>;
}

interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/** Options of the webhook route. */
const OPTIONS = {
  secrets: SECRET,
  on: { security_event() {}, pulse() {}, security_response() {}, test() {} },
  bodyTimeoutMs: 60_000,
  onError() {},
};

/** The case of a body that never ends, which gets a short time limit. */
const SLOW_BODY = "RCV-33";

/** The route as the plan of an application in the adapter contract. */
export function receiverPlan(options: typeof OPTIONS) {
  return {
    webhooks: [{ path: PATH, options }],
    gates: [],
    logins: [],
    siblings: [],
    host: "127.0.0.1",
    trustEverybody: false,
    log() {},
  };
}

/** Runs the receiver contract against a webhook route over HTTP. */
export function describeReceiver(
  name: string,
  contract: readonly Check[],
  serve: (options: typeof OPTIONS) => Promise<Served>,
): void {
  describe(`${name} as a receiver`, () => {
    let app: Served | undefined;
    let hasty: Served | undefined;

    beforeAll(async () => {
      app = await serve(OPTIONS);
      hasty = await serve({ ...OPTIONS, bodyTimeoutMs: 1000 });
    });
    afterAll(async () => {
      await app?.close();
      await hasty?.close();
    });

    for (const check of contract) {
      it(`${check.id} ${check.title}`, { timeout: check.timeoutMs }, async () => {
        const served = check.id === SLOW_BODY ? hasty : app;
        const url = new URL(`http://127.0.0.1:${served?.port}${PATH}`);
        const target = { url, secret: SECRET, timeoutMs: 40_000 };
        await expect(check.run(target)).resolves.toBeUndefined();
      });
    }
  });
}
