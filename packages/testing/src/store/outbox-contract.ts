import { deepEqual, equal, ok } from "node:assert/strict";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { sign } from "@riskgate/core";
import { signStandard } from "@riskgate/core/internal";
import type { ContractCheck } from "../base/contract-check.js";
import { serveHttp } from "../http/serve-http.js";

export interface OutboxHarness {
  readonly name: string;
  /** Time limit for expected requests, in milliseconds; default 30,000. */
  readonly patienceMs?: number;
  /**
   * @param urls The endpoints, each for a different application. The outbox must be allowed to
   * deliver to this machine, and must retry within a second.
   */
  open(urls: readonly string[]): Promise<OpenOutbox>;
}

export interface OpenOutbox {
  readonly secrets: readonly string[];
  /**
   * Accepts an event for each id, with non-ASCII text; resolves once they are accepted, not sent.
   */
  readonly add: (endpoint: number, ids: readonly string[]) => Promise<void>;
  /** Returns the id of a sent event; undefined for any other payload. */
  readonly idOf: (payload: Readonly<Record<string, unknown>>) => string | undefined;
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Only a hang takes this long. */
const PATIENCE_MS = 30_000;

const MAX_PAYLOADS = 1_000;

/** Rules for every outbox, whatever its storage. */
export const outboxContract: readonly ContractCheck<OutboxHarness>[] = [
  check(
    "OBX-01",
    "delivers each event once if nothing fails",
    1,
    async ({ outbox, at, received }) => {
      const ids = named("a", 30);
      for (const id of ids) await outbox.add(0, [id]);
      await received(0, ids);
      await pause(200);
      deepEqual(at(0).taken, ids);
    },
  ),
  check("OBX-02", "delivers in the order of acceptance", 1, async ({ outbox, at, received }) => {
    const ids = named("a", 200);
    for (let from = 0; from < ids.length; from += 20) {
      await outbox.add(0, ids.slice(from, from + 20));
    }
    await received(0, ids);
    deepEqual(at(0).taken, ids);
  }),
  check("OBX-03", "signs the bytes that it sends", 1, async ({ outbox, at, received }) => {
    await outbox.add(0, ["a", "b"]);
    await received(0, ["a", "b"]);
    for (const { method, type, signature, body } of at(0).requests) {
      equal(method, "POST");
      ok(type?.startsWith("application/json"), `the type is ${type}`);
      equal(signature, sign(body, outbox.secrets[0]!));
    }
  }),
  check("OBX-04", "sends at most 1,000 payloads at once", 1, async ({ outbox, at, received }) => {
    const ids = named("a", MAX_PAYLOADS + 100);
    await outbox.add(0, ids.slice(0, MAX_PAYLOADS));
    await outbox.add(0, ids.slice(MAX_PAYLOADS));
    await received(0, ids);
    ok(at(0).requests.every(({ payloads }) => payloads.length <= MAX_PAYLOADS));
  }),
  check(
    "OBX-05",
    "repeats a refused delivery byte for byte",
    1,
    async ({ outbox, at, received, requested }) => {
      at(0).answerWith((_, response) => void response.writeHead(503).end());
      await outbox.add(0, ["a", "b"]);
      await requested(0, 2);
      at(0).answerWith();
      await received(0, ["a", "b"]);
      const [first, ...others] = at(0).requests.filter(({ payloads }) => payloads.includes("a"));
      for (const { body } of others) deepEqual(body, first!.body);
    },
  ),
  check(
    "OBX-06",
    "treats a redirect as a failure, and does not follow it",
    2,
    async ({ outbox, at, received, requested }) => {
      at(0).answerWith(
        (_, response) => void response.writeHead(302, { location: at(1).url }).end(),
      );
      await outbox.add(0, ["a"]);
      await requested(0, 2);
      equal(at(1).requests.length, 0);
      at(0).answerWith();
      await received(0, ["a"]);
    },
  ),
  check(
    "OBX-07",
    "delivers to an endpoint while another one hangs",
    2,
    async ({ outbox, at, received, requested }) => {
      let isGivenUp = false;
      at(0).answerWith((_, response) => void response.once("close", () => (isGivenUp = true)));
      await outbox.add(0, named("a", 5));
      await requested(0, 1);
      const ids = named("b", 5);
      await outbox.add(1, ids);
      await received(1, ids);
      ok(!isGivenUp, "it waited until the hanging request was aborted");
    },
  ),
  check(
    "OBX-08",
    "sends each endpoint its own events, signed with its own secret",
    2,
    async ({ outbox, at, received }) => {
      const [ours, theirs] = [named("a", 50), named("b", 50)];
      for (const [index, id] of ours.entries()) {
        await outbox.add(0, [id]);
        await outbox.add(1, [theirs[index]!]);
      }
      await received(0, ours);
      await received(1, theirs);
      for (const [endpoint, ids] of [ours, theirs].entries()) {
        deepEqual(at(endpoint).taken, ids);
        for (const { signature, body } of at(endpoint).requests) {
          equal(signature, sign(body, outbox.secrets[endpoint]!));
        }
      }
    },
  ),
  check(
    "OBX-09",
    "delivers events after a restart that it accepted before",
    1,
    async ({ outbox, at, received, requested }) => {
      at(0).answerWith((request) => void request.socket.destroy());
      const ids = named("a", 40);
      await outbox.add(0, ids.slice(0, 20));
      await requested(0, 1);
      await outbox.add(0, ids.slice(20));
      await outbox.restart();
      at(0).answerWith();
      await received(0, ids);
    },
  ),
  check(
    "OBX-10",
    "signs each attempt by Standard Webhooks, with one id for all attempts",
    1,
    async ({ outbox, at, received, requested }) => {
      at(0).answerWith((_, response) => void response.writeHead(503).end());
      await outbox.add(0, ["a"]);
      await requested(0, 2);
      at(0).answerWith();
      await received(0, ["a"]);
      const ids = new Set(at(0).requests.map(({ headers }) => headers["webhook-id"]));
      equal(ids.size, 1);
      for (const { headers, body } of at(0).requests) {
        const { "webhook-id": id, "webhook-timestamp": timestamp } = headers;
        const seconds = Number(timestamp);
        ok(Math.abs(seconds - Date.now() / 1000) < 300, `the time is ${String(timestamp)}`);
        const signed = signStandard({ id: String(id), seconds, body }, [outbox.secrets[0]!]);
        equal(headers["webhook-signature"], signed["webhook-signature"]);
      }
    },
  ),
];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface SentRequest {
  readonly method: string | undefined;
  readonly type: string | undefined;
  readonly signature: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly payloads: readonly string[];
}

interface Endpoint {
  readonly url: string;
  readonly requests: SentRequest[];
  readonly taken: string[];
  /** Sets the response from now on; 204 by default. */
  answerWith(answer?: Answer): void;
}

interface Stage {
  readonly outbox: OpenOutbox;
  readonly at: (endpoint: number) => Endpoint;
  /** Waits until an endpoint has accepted all of these events. */
  readonly received: (endpoint: number, ids: readonly string[]) => Promise<void>;
  readonly requested: (endpoint: number, count: number) => Promise<void>;
}

function check(
  id: string,
  title: string,
  endpoints: number,
  body: (stage: Stage) => Promise<void>,
): ContractCheck<OutboxHarness> {
  return {
    id,
    title,
    timeoutMs: 2 * PATIENCE_MS,
    async run(harness) {
      let outbox: OpenOutbox | undefined;
      const idOf: OpenOutbox["idOf"] = (payload) => outbox?.idOf(payload);
      const served = await Promise.all(Array.from({ length: endpoints }, () => serve(idOf)));
      try {
        outbox = await harness.open(served.map(({ endpoint }) => endpoint.url));
        const at = (endpoint: number): Endpoint => served[endpoint]!.endpoint;
        await body({ outbox, at, ...waiting(at, harness.patienceMs ?? PATIENCE_MS) });
      } finally {
        // First, because the outbox would wait for a hanging endpoint when it closes.
        await Promise.all(served.map(async ({ close }) => close()));
        await outbox?.close();
      }
    },
  };
}

function waiting(at: Stage["at"], patienceMs: number): Pick<Stage, "received" | "requested"> {
  const until = async (holds: () => boolean, message: () => string): Promise<void> => {
    const endMs = performance.now() + patienceMs;
    while (!holds()) {
      ok(performance.now() < endMs, message());
      await pause(10);
    }
  };
  return {
    async received(endpoint, ids) {
      const missing = (): number => ids.filter((id) => !at(endpoint).taken.includes(id)).length;
      await until(
        () => missing() === 0,
        () => `${missing()} events are not delivered`,
      );
    },
    requested: async (endpoint, count) =>
      until(
        () => at(endpoint).requests.length >= count,
        () => `${at(endpoint).requests.length} requests were sent`,
      ),
  };
}

async function serve(
  idOf: OpenOutbox["idOf"],
): Promise<{ endpoint: Endpoint; close: () => Promise<void> }> {
  let answer: Answer | undefined;
  const requests: SentRequest[] = [];
  const taken: string[] = [];
  const { port, close } = await serveHttp(async (request, response) => {
    const { method, headers } = request;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const payloads = idsIn(body, idOf);
    const signature = headers["x-service-integrity"];
    requests.push({
      method,
      type: headers["content-type"],
      signature: typeof signature === "string" ? signature : undefined,
      headers,
      body,
      payloads,
    });
    if (answer) return answer(request, response);
    taken.push(...payloads);
    response.writeHead(204).end();
  });
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    taken,
    answerWith: (other) => (answer = other),
  };
  return { endpoint, close };
}

function idsIn(body: Buffer, idOf: OpenOutbox["idOf"]): readonly string[] {
  const payloads: unknown = JSON.parse(body.toString());
  ok(Array.isArray(payloads), "a delivery is an array");
  return (payloads as Record<string, unknown>[]).flatMap((payload) => idOf(payload) ?? []);
}

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
