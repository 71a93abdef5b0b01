import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import type { WebhookOptions } from "../../src/webhook/endpoint.js";
import { createWebhookEndpoint } from "../../src/webhook/node-endpoint.js";
import { createReceiver } from "../../src/webhook/receiver.js";
import { sign } from "../../src/webhook/signature.js";
import { thrown } from "../support/caught.js";
import { signed } from "../support/delivery.js";
import { SECRET } from "../support/vectors.js";

const BODY = '[{"service_payload_type":"test","id":"a"}]';

async function served(options: Partial<WebhookOptions>) {
  const errors: RiskGateError[] = [];
  const secretIds: string[] = [];
  const endpoint = createWebhookEndpoint({
    secrets: SECRET,
    on: { test: (_, { secretId }) => secretIds.push(secretId) },
    onError: (error) => errors.push(error),
    ...options,
  });
  const server = createServer((request, response) => {
    void endpoint.answer(request).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const post = async (path: string, secret: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-service-integrity": sign(BODY, secret),
        connection: "close",
        ...headers,
      },
      body: BODY,
    });
    const text = await response.text();
    return [response.status, text && (JSON.parse(text) as { code: string }).code] as const;
  };
  return { post, errors, secretIds };
}

describe("secrets by a function", () => {
  const TENANTS: Record<string, string> = { shop: "the secret of shop", blog: "the one of blog" };

  it("verifies each delivery with the secrets of its tenant only", async () => {
    const { post, secretIds } = await served({
      seen: false,
      async secrets({ url }) {
        const id = new URL(url, "http://x").pathname.split("/").at(-1) ?? "";
        const value = TENANTS[id];
        return Promise.resolve(value === undefined ? undefined : { id, value });
      },
    });
    expect(await post("/hooks/shop?x=1", "the secret of shop")).toEqual([204, ""]);
    expect(await post("/hooks/blog", "the one of blog")).toEqual([204, ""]);
    expect(secretIds).toEqual(["shop", "blog"]);
    expect(await post("/hooks/blog", "the secret of shop")).toEqual([401, "SIGNATURE_INVALID"]);
    expect(await post("/hooks/none", "the secret of shop")).toEqual([401, "SIGNATURE_INVALID"]);
  });

  it("passes headers by name in any case", async () => {
    const { post } = await served({
      secrets: ({ header }) => (header("X-Tenant") === "shop" ? SECRET : undefined),
    });
    expect(await post("/", SECRET, { "x-tenant": "shop" })).toEqual([204, ""]);
    expect(await post("/", SECRET)).toEqual([401, "SIGNATURE_INVALID"]);
  });

  it.each<[string, () => never]>([
    [
      "throws",
      () => {
        throw new Error("no database");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no database")) as never],
    ["never settles", () => new Promise(() => {}) as never],
    ["returns an empty secret", () => "" as never],
    ["returns a number", () => 7 as never],
    ["returns null", () => null as never],
  ])("answers 503 if it %s", async (_, secrets) => {
    const { post, errors, secretIds } = await served({ secrets });
    expect(await post("/", SECRET)).toEqual([503, "SECRETS_UNAVAILABLE"]);
    expect(errors.map(({ code }) => code)).toEqual(["SECRETS_UNAVAILABLE"]);
    expect(secretIds).toEqual([]);
  });

  it("is refused where no request exists", () => {
    const options = { secrets: () => SECRET, on: { test() {} } };
    const make = () => createReceiver(options as unknown as Parameters<typeof createReceiver>[0]);
    expect(thrown(make).message).toMatch(/^`secrets` must be one or several signing secrets/);
  });
});

describe("failureStatus", () => {
  const failing = (failureStatus: WebhookOptions["failureStatus"], thrownError: unknown) =>
    served({
      on: {
        test() {
          throw thrownError;
        },
      },
      ...(failureStatus && { failureStatus }),
    });

  it("tells permanent failures from temporary ones", async () => {
    const isGone = (cause: unknown): boolean => cause instanceof RangeError;
    const failureStatus: WebhookOptions["failureStatus"] = (failed) =>
      failed.every(({ error }) => isGone(error.cause)) ? 422 : 503;
    const permanent = await failing(failureStatus, new RangeError("no such account"));
    expect(await permanent.post("/", SECRET)).toEqual([422, "HANDLER_FAILED"]);
    const temporary = await failing(failureStatus, new Error("no database"));
    expect(await temporary.post("/", SECRET)).toEqual([503, "HANDLER_FAILED"]);
  });

  it("ends the retries with a status below 300, and still reports the error", async () => {
    const { post, errors } = await failing(() => 204, new Error("no such account"));
    expect(await post("/", SECRET)).toEqual([204, ""]);
    expect(errors.map(({ code }) => code)).toEqual(["HANDLER_FAILED"]);
  });

  it.each([
    ["throws", (): never => assertNever()],
    ["returns no status", () => 99],
    ["returns text", () => "503" as unknown as number],
    ["returns a promise", () => Promise.resolve(503) as unknown as number],
  ])("has no effect if it %s", async (_, failureStatus) => {
    const { post, errors } = await failing(failureStatus, new Error("down"));
    expect(await post("/", SECRET)).toEqual([500, "HANDLER_FAILED"]);
    expect(errors.map(({ code }) => code)).toContain("HOOK_FAILED");
  });

  it("is in the receipt", async () => {
    const on = { test: (): never => assertNever() };
    const failureStatus = () => 422;
    const receiver = createReceiver({ secrets: SECRET, on, failureStatus, onError() {} });
    const receipt = await receiver.receive(signed([{ service_payload_type: "test" }]));
    expect(receipt).toMatchObject({ status: 422, code: "HANDLER_FAILED", handled: 0 });
  });
});

function assertNever(): never {
  throw new Error("always");
}
