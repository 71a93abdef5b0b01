import { createFakeLookup } from "@riskgate/testing";
import { NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  GOOD,
  type HandledBody,
  ORDINARY_BODIES,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

const READERS: Readonly<Record<string, (request: NextRequest) => Promise<unknown>>> = {
  "request.json": async (request) => ((await request.json()) as { email?: unknown }).email,
  "request.formData, first": async (request) => (await request.formData()).get("email"),
  "request.formData, all": async (request) => Object.fromEntries(await request.formData()).email,
  "URLSearchParams, first": async (request) =>
    new URLSearchParams(await request.text()).get("email"),
  "URLSearchParams, last": async (request) =>
    Object.fromEntries(new URLSearchParams(await request.text())).email,
};

function requestOf({ type, body }: BodyCase): NextRequest {
  const headers = { "content-type": type };
  const init = { method: "POST", headers, body: Buffer.from(body) };
  return new NextRequest("https://app.example/signup", init);
}

async function send(sent: BodyCase, reader: string, isGated: boolean): Promise<HandledBody> {
  const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
  let email: unknown;
  const handle = async (request: NextRequest): Promise<Response> => {
    email = await new Map(Object.entries(READERS)).get(reader)!(request).catch(() => undefined);
    return new Response();
  };
  const route = isGated ? riskGate({ lookup, ip: () => "9.9.9.9" }, handle) : handle;
  return { status: (await route(requestOf(sent), {})).status, email };
}

describe("body readings in Next.js", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const { bad, differing } = await differingReadings(Object.keys(READERS), send);
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(60);
  });

  it("looks up no further email for ordinary bodies", async () => {
    const lookup = createFakeLookup();
    const route = riskGate({ lookup, ip: () => undefined }, async () => new Response());
    for (const sent of ORDINARY_BODIES) {
      expect((await route(requestOf(sent), {})).status).toBe(200);
    }
    expect(lookup.calls.map(({ value }) => value)).toEqual(ORDINARY_BODIES.map(() => GOOD));
  });
});
