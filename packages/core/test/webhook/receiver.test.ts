import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createReceiver, type ReceiverOptions } from "../../src/webhook/receiver.js";
import { sign } from "../../src/webhook/signature.js";
import type { RawBody } from "../../src/webhook/raw-body.js";
import type { HandlerContext, WebhookHandlers } from "../../src/webhook/handlers.js";
import { caught, thrown } from "../support/caught.js";
import { signed, testPayloads } from "../support/delivery.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { SECRET, vector } from "../support/vectors.js";

/** A receiver that counts what its handler for test payloads is given. */
function counting(options: Partial<ReceiverOptions> = {}) {
  const seen: (string | undefined)[] = [];
  const on: WebhookHandlers = { test: (payload) => seen.push(payload.id) };
  return { seen, receiver: createReceiver({ secrets: SECRET, on, ...options }) };
}

const TEST = { service_payload_type: "test" };

describe("createReceiver", () => {
  it.each<[string, object]>([
    ["no secret", { secrets: undefined }],
    ["an empty secret", { secrets: "" }],
    ["no secrets in the list", { secrets: [] }],
    ["no handlers", { on: undefined }],
    ["handlers that are null", { on: null }],
    ["handlers that are a list", { on: [] }],
    ["handlers that are not awaited", { on: Promise.resolve({ test() {} }) }],
    ["no handler at all", { on: {} }],
    ["handlers that are undefined", { on: { test: undefined } }],
    ["a class without a handler", { on: new Map([["test", () => {}]]) }],
    [
      "a class with a handler that is no function",
      {
        on: new (class {
          test = true;
        })(),
      },
    ],
    ["a handler of no known type", { on: { security_events: () => {} } }],
    ["a handler that is no function", { on: { test: true } }],
    ["a time of 0", { handlerTimeoutMs: 0 }],
    ["a time that is no number", { handlerTimeoutMs: "10s" }],
    ["an endless time", { handlerTimeoutMs: Infinity }],
    ["an inbox time that is negative", { inboxTimeoutMs: -1 }],
    ["a type field without a name", { payloadTypeField: "" }],
    ["a type field that is no text", { payloadTypeField: 7 }],
    ["an onReceipt that is no function", { onReceipt: {} }],
    ["an onError that is no function", { onError: "log" }],
    ["a seen store without methods", { seen: {} }],
    ["a seen store that is true", { seen: true }],
    ["an inbox without methods", { inbox: {} }],
  ])("refuses %s", (_, options) => {
    const make = (): unknown => counting(options);
    expect(thrown(make).code).toBe("CONFIG_INVALID");
  });

  it.each<[string, object, string]>([
    [
      "an unknown option",
      { payloadTypesField: "x" },
      "`payloadTypesField`: unknown option; did you mean `payloadTypeField`?",
    ],
    [
      "a handler of no known type",
      { on: { security_events() {} } },
      "`on.security_events`: unknown option; did you mean `security_event`?",
    ],
    [
      "a time that no timer can wait for",
      { handlerTimeoutMs: 2 ** 31 },
      "`handlerTimeoutMs` must be a time of 1 to 2147483647 milliseconds, given 2147483648",
    ],
    [
      "a store that is not awaited",
      { seen: Promise.resolve() },
      "`seen` must be an object with the methods reserve, commit, release, " +
        "given a promise; write `await` in front of it",
    ],
    [
      "no secret",
      { secrets: undefined },
      "`secrets` must be one or several signing secrets, given nothing",
    ],
    [
      "no handler",
      { on: {} },
      "`on` needs at least one handler: security_event, pulse, security_response, test, unknown",
    ],
  ])("says what is wrong with %s", (_, options, message) => {
    expect(thrown(() => counting(options)).message).toBe(message);
  });

  it("takes no option from a prototype", () => {
    const options = Object.create({ secrets: SECRET, on: { test() {} } }) as ReceiverOptions;
    expect(thrown(() => createReceiver(options)).code).toBe("CONFIG_INVALID");
    expect(thrown(() => createReceiver(undefined as unknown as ReceiverOptions)).message).toBe(
      "the options of createReceiver() must be an object, given nothing",
    );
  });

  it("takes handlers that are methods of a class, its own or inherited", async () => {
    const called: string[] = [];
    class Base {
      readonly log = called;
      pulse(): void {
        this.log.push("inherited");
      }
    }
    class Handling extends Base {
      test(): void {
        this.log.push("own");
      }
    }
    const { receiver } = counting({ on: new Handling() });
    const receipt = await receiver.receive(signed([TEST, { service_payload_type: "pulse" }]));
    expect(receipt).toMatchObject({ status: 204, handled: 2 });
    expect(called).toEqual(["own", "inherited"]);
  });

  it("takes no handler from a polluted prototype", async () => {
    const everything = Object.prototype as { test?: () => void };
    everything.test = () => expect.unreachable();
    onTestFinished(() => void delete everything.test);
    for (const on of [
      { pulse() {} },
      new (class {
        pulse(): void {}
      })(),
    ]) {
      const { receiver } = counting({ on });
      expect(await receiver.receive(signed([TEST]))).toMatchObject({ status: 204, handled: 0 });
    }
  });

  it("calls a handler as a member of the object it came in", async () => {
    const owners: unknown[] = [];
    const on: WebhookHandlers = {
      test() {
        owners.push(this);
      },
    };
    const { receiver } = counting({ on });
    await receiver.receive(signed([TEST]));
    expect(owners).toEqual([on]);
    expect(owners[0]).toBe(on);
  });
});

describe("receive", () => {
  it("WHR-01 hands each payload to the handler of its type", async () => {
    const called: unknown[] = [];
    const note = (name: string) => (payload: { service_payload_type: string }) =>
      called.push([name, payload.service_payload_type]);
    const { receiver } = counting({
      on: {
        security_event: note("event"),
        pulse: note("incident"),
        security_response: note("response"),
        test: note("test"),
      },
    });
    const types = ["pulse", "test", "security_event", "security_response"];
    const delivery = signed(types.map((type) => ({ service_payload_type: type })));
    expect(await receiver.receive(delivery)).toEqual({
      status: 204,
      secretId: "0",
      handled: 4,
      duplicates: 0,
      ignored: [],
      failed: [],
      pending: 0,
    });
    expect(called).toEqual([
      ["incident", "pulse"],
      ["test", "test"],
      ["event", "security_event"],
      ["response", "security_response"],
    ]);
  });

  it.each<[string, unknown]>([
    ["no signature", undefined],
    ["a malformed one", "x"],
    ["a wrong one", "0".repeat(64)],
    ["one by another secret", sign(vector("V3").body, "another-secret")],
    ["two of them", [vector("V3").signature, vector("V3").signature]],
  ])("WHR-28 refuses %s with one and the same receipt", async (_, signature) => {
    const { receiver, seen } = counting();
    expect(await receiver.receive({ body: vector("V3").body, signature })).toEqual({
      status: 401,
      code: "SIGNATURE_INVALID",
      handled: 0,
      duplicates: 0,
      ignored: [],
      failed: [],
      pending: 0,
    });
    expect(seen).toEqual([]);
  });

  it("WHR-21 says 400 to a signed empty body, 401 to an unsigned one", async () => {
    const { body, signature } = vector("V12");
    const { receiver } = counting();
    expect(await receiver.receive({ body, signature })).toMatchObject({
      status: 400,
      code: "INVALID_JSON",
    });
    const wrong = await receiver.receive({ body, signature: vector("V1").signature });
    expect(wrong.status).toBe(401);
  });

  it.each(["[", "[1,]", '{"a"', '[{"email":"secret@x.y"'])(
    "WHR-22 refuses the signed text %s and quotes none of it",
    async (text) => {
      const told: unknown[] = [];
      const { receiver } = counting({ onError: (error) => told.push(error) });
      const receipt = await receiver.receive(signed(text));
      expect(receipt).toMatchObject({ status: 400, code: "INVALID_JSON", secretId: "0" });
      expect(inspect([receipt, told], { depth: 9 })).not.toContain("secret@");
    },
  );

  it.each(["{}", '"x"', "1", "null", "true"])(
    "WHR-23 refuses the signed value %s",
    async (text) => {
      const { receiver } = counting();
      const receipt = await receiver.receive(signed(text));
      expect(receipt).toMatchObject({ status: 400, code: "INVALID_PAYLOAD", handled: 0 });
    },
  );

  it("WHR-24 accepts an empty array", async () => {
    const { receiver } = counting();
    const { body, signature } = vector("V1");
    expect(await receiver.receive({ body, signature })).toMatchObject({ status: 204, handled: 0 });
  });

  it("WHR-25 handles 1,000 elements and none of 1,001", async () => {
    const full = counting();
    const receipt = await full.receiver.receive(signed(testPayloads(1000)));
    expect(receipt).toMatchObject({ status: 204, handled: 1000 });
    expect(full.seen).toEqual(testPayloads(1000).map(({ id }) => id));
    const over = counting();
    expect(await over.receiver.receive(signed(testPayloads(1001)))).toMatchObject({
      status: 400,
      code: "TOO_MANY_EVENTS",
    });
    expect(over.seen).toEqual([]);
  });

  it("WHR-32 accepts a byte order mark", async () => {
    const { receiver, seen } = counting();
    const { body, signature } = vector("V7");
    expect((await receiver.receive({ body, signature })).status).toBe(204);
    expect(seen).toHaveLength(1);
  });

  it("WHR-33 refuses invalid UTF-8", async () => {
    const { receiver, seen } = counting();
    const { body, signature } = vector("V8");
    const receipt = await receiver.receive({ body, signature });
    expect(receipt).toMatchObject({ status: 400, code: "INVALID_ENCODING" });
    expect(seen).toEqual([]);
  });

  it("WHR-34 hands on nothing that pollutes a prototype", async () => {
    type Open = Record<string, unknown>;
    const merge = (target: Open, source: object): void => {
      for (const [key, value] of Object.entries(source)) {
        if (typeof value === "object" && value !== null) {
          target[key] ??= {};
          merge(target[key] as Open, value);
        } else target[key] = value;
      }
    };
    const checked: unknown[] = [];
    const check = (payload: object, { raw }: HandlerContext): void => {
      for (const given of [payload, raw]) {
        expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
        expect(Object.keys(given)).not.toContain("__proto__");
        const merged: Open = {};
        merge(merged, given);
        const targets: Open[] = [{ ...given }, Object.assign<Open, object>({}, given), merged];
        for (const target of targets) {
          expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
          expect(target["polluted"]).toBeUndefined();
        }
        checked.push(given);
      }
    };
    const { receiver } = counting({ on: { test: check, unknown: check } });
    const bad = [
      '"__proto__":{"polluted":1}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"a":[{"\\u005f_proto__":{"polluted":1}}]',
    ];
    const elements = ["test", "later"].flatMap((type) =>
      bad.map((member) => `{"service_payload_type":"${type}",${member}}`),
    );
    const receipt = await receiver.receive(signed(`[${elements.join()}]`));
    expect(receipt.failed.map(({ error }) => error.cause)).toEqual([]);
    expect(receipt).toMatchObject({ status: 204, handled: 6 });
    expect(checked).toHaveLength(12);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("WHR-35 handles what is good, in order, and reports the rest", async () => {
    const { receiver, seen } = counting();
    const first = { ...TEST, id: "first" };
    const last = { ...TEST, id: "last" };
    const later = { service_payload_type: "later" };
    const receipt = await receiver.receive(signed([first, null, 42, "x", [], {}, later, last]));
    expect(receipt).toMatchObject({ status: 204, handled: 2 });
    expect(receipt.ignored.map(({ index, reason }) => [index, reason])).toEqual([
      [1, "not_an_object"],
      [2, "not_an_object"],
      [3, "not_an_object"],
      [4, "not_an_object"],
      [5, "no_type"],
      [6, "unknown_type"],
    ]);
    expect(seen).toEqual(["first", "last"]);
  });

  it("PAY-03 PAY-09 hands what is unknown to its handler, and what is no object to nobody", async () => {
    const unknown: unknown[] = [];
    const { receiver } = counting({
      on: {
        security_event: () => expect.unreachable(),
        unknown: (raw, context) => unknown.push([raw, context.reason]),
      },
    });
    const kind = { service_payload_type: "security_event", event_kind: "waf" };
    const category = { service_payload_type: "security_event", event_category: "weather" };
    const type = { service_payload_type: "later" };
    const receipt = await receiver.receive(signed([kind, 7, category, {}, type]));
    expect(unknown).toEqual([
      [kind, "unknown_kind"],
      [category, "unknown_category"],
      [{}, "no_type"],
      [type, "unknown_type"],
    ]);
    expect(receipt).toMatchObject({ status: 204, handled: 4 });
    expect(receipt.ignored.map(({ reason }) => reason)).toEqual(["not_an_object"]);
  });

  it("PAY-09 warns of payloads without a type that nobody handles", async () => {
    const { receiver } = counting({ payloadTypeField: "kind_of_payload" });
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const receipt = await receiver.receive(signed([{ id: "a" }]));
    expect(receipt).toMatchObject({ status: 204, ignored: [{ index: 0, reason: "no_type" }] });
    const told = expect.stringContaining("have no type in `kind_of_payload`") as string;
    await expect.poll(() => warnings).toContainEqual(told);
  });

  it("reports a known payload that nobody handles", async () => {
    const { receiver } = counting({ on: { pulse() {} } });
    const receipt = await receiver.receive(signed([TEST]));
    expect(receipt).toMatchObject({ status: 204, ignored: [{ index: 0, reason: "no_handler" }] });
  });

  it("tells a handler which secret, which place and which original", async () => {
    const contexts: HandlerContext[] = [];
    const receiver = createReceiver({
      secrets: [
        { id: "autumn", value: "new" },
        { id: "spring", value: "old" },
      ],
      on: { test: (_, context) => contexts.push(context) },
    });
    const raw = { ...TEST, date_occured: "2026-01-01T00:00:00Z" };
    expect((await receiver.receive(signed([7, raw], "old"))).secretId).toBe("spring");
    expect(contexts).toMatchObject([{ secretId: "spring", index: 1, raw }]);
    expect(contexts[0]?.signal.aborted).toBe(false);
    expect((await receiver.receive(signed([raw], "new"))).secretId).toBe("autumn");
  });

  it("refuses a secret that has ended", async () => {
    const receiver = createReceiver({
      secrets: ["new", { id: "old", value: "old", notAfter: new Date(Date.now() - 1000) }],
      on: { test() {} },
    });
    expect((await receiver.receive(signed([TEST], "old"))).status).toBe(401);
    expect((await receiver.receive(signed([TEST], "new"))).status).toBe(204);
  });

  it.each([
    ["application/json", 204],
    ["application/json; charset=utf-8", 204],
    ["text/plain", 415],
    ["application/json; charset=utf-16", 415],
    ["", 415],
    [undefined, 204],
  ])("WHR-09 answers the content type %s with %i", async (contentType, status) => {
    const { receiver } = counting();
    expect((await receiver.receive({ ...signed([TEST]), contentType })).status).toBe(status);
  });

  it("finds the type under the name that the service uses", async () => {
    const { receiver, seen } = counting({ payloadTypeField: "vendor_type" });
    await receiver.receive(signed([{ vendor_type: "test", id: "a" }, TEST]));
    expect(seen).toEqual(["a"]);
  });

  it("R7 refuses a million brackets inside a signed element", async () => {
    const { receiver, seen } = counting();
    const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    const delivery = signed(`[{"service_payload_type":"test","id":"a","deep":${deep}}]`);
    expect(await receiver.receive(delivery)).toMatchObject({ status: 400, code: "INVALID_JSON" });
    expect(seen).toEqual([]);
    const broken = signed(`[{"deep":${"[".repeat(1_000_000)}}]`);
    expect(await receiver.receive(broken)).toMatchObject({ code: "INVALID_JSON" });
  });

  it.each<[string, unknown]>([
    ["an object", {}],
    ["an array", [TEST]],
    ["undefined", undefined],
  ])("SIG-16 throws for a body that is %s", async (_, body) => {
    const { receiver } = counting();
    const { signature } = signed([TEST]);
    for (const given of [signature, "junk", undefined]) {
      const error = await caught(receiver.receive({ body: body as RawBody, signature: given }));
      expect(error.code).toBe("CONFIG_INVALID");
      expect(error.message).toContain("raw body");
    }
  });

  it.each([undefined, null, "[]", 5])(
    "SIG-16 throws for %s in place of a delivery",
    async (given) => {
      const { receiver } = counting();
      for (const method of ["receive", "process"] as const) {
        const error = await caught(receiver[method](given as never));
        expect(error.code).toBe("CONFIG_INVALID");
        expect(error.message).toContain(`the delivery of ${method}() must be an object`);
      }
    },
  );

  it("SIG-16 throws for a stored delivery without its bytes", async () => {
    const { receiver } = counting();
    for (const body of [undefined, null, {}, [TEST]]) {
      const error = await caught(receiver.process({ body: body as never, secretId: "0" }));
      expect(error.code).toBe("CONFIG_INVALID");
    }
  });

  it.each([null, 5, ["application/json"]])("refuses %j as a content type", async (contentType) => {
    const { receiver } = counting();
    const delivery = { ...signed([TEST]), contentType: contentType as never };
    expect(await receiver.receive(delivery)).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  it("LIF-07 shows no secret and no digest in itself, its receipts and its errors", async () => {
    const secret = "s3cret-77ab01";
    const told: unknown[] = [];
    const receiver = createReceiver({
      secrets: { id: "a", value: secret },
      on: {
        test() {
          throw new Error("handler");
        },
      },
      onError: (error) => told.push(error),
    });
    const delivery = signed([TEST], secret);
    told.push(receiver, await receiver.receive(delivery));
    told.push(await receiver.receive({ ...delivery, signature: "0".repeat(64) }));
    told.push(await caught(receiver.receive({ ...delivery, body: {} as RawBody })));
    const text = inspect(told, { depth: 12, showHidden: true }) + JSON.stringify(told);
    for (const hidden of [secret, Buffer.from(secret).toString("hex"), delivery.signature]) {
      expect(text).not.toContain(hidden);
    }
  });
});

describe("onReceipt and onError", () => {
  it("tell every receipt, refused ones too, and every error once", async () => {
    const receipts: unknown[] = [];
    const errors: unknown[] = [];
    const { receiver } = counting({
      on: {
        test() {
          throw new Error("handler");
        },
      },
      onReceipt: (receipt) => receipts.push(receipt.status),
      onError: (error) => errors.push(error.code),
    });
    await receiver.receive(signed([]));
    await receiver.receive({ ...signed([]), signature: "x" });
    await receiver.receive(signed("{"));
    await receiver.receive(signed([TEST]));
    expect(receipts).toEqual([204, 401, 400, 500]);
    expect(errors).toEqual(["HANDLER_FAILED"]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hook");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("hook");
      },
    ],
  ])("R23 change nothing when onReceipt %s", async (_, onReceipt) => {
    const unhandled = unhandledRejections();
    const errors: string[] = [];
    const { receiver, seen } = counting({
      onReceipt,
      onError: (error) => errors.push(error.code),
    });
    expect((await receiver.receive(signed([TEST]))).status).toBe(204);
    expect(await unhandled()).toBe(0);
    expect(errors).toEqual(["HOOK_FAILED"]);
    expect(seen).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hook");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("hook");
      },
    ],
  ])("R23 change nothing when onError %s", async (_, onError) => {
    const unhandled = unhandledRejections();
    const { receiver } = counting({
      on: { test: () => Promise.reject(new RiskGateError("TIMEOUT", "x")) },
      onError,
    });
    expect((await receiver.receive(signed([TEST]))).status).toBe(500);
    expect(await unhandled()).toBe(0);
  });
});
