import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createWrongCredentials } from "../../src/http/wrong-credentials.js";
import { ADMIN_TOKEN, serveApi } from "../support/served-api.js";

/** As many as an address may send before it is asked to wait. */
const MAX_WRONG = 20;

describe("createWrongCredentials", () => {
  async function exhausted(address: string, counters?: number) {
    const wrong = createWrongCredentials(counters);
    for (let sent = 0; sent < MAX_WRONG; sent++) expect(await wrong.count(address)).toBe(0);
    return wrong;
  }

  it.each([
    ["an IPv4 address", "192.0.2.1", "192.0.2.1"],
    ["its mapped form", "192.0.2.1", "::ffff:192.0.2.1"],
    ["its form behind a NAT64 gateway", "192.0.2.1", "64:ff9b::192.0.2.1"],
    ["another address of the same /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::2"],
    ["no address at all", "", ""],
  ])("asks %s to wait once it has sent too many", async (_label, first, next) => {
    const wrong = await exhausted(first);
    const wait = await wrong.count(next);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it.each([
    ["another IPv4 address", "192.0.2.1", "192.0.2.2"],
    ["another client of a NAT64 gateway", "64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2"],
    ["another /64", "2001:db8:1:2::1", "2001:db8:1:3::1"],
  ])("leaves %s alone", async (_label, first, next) => {
    const wrong = await exhausted(first);
    expect(await wrong.count(next)).toBe(0);
  });

  it("forgets after a minute, and keeps few counters whatever the number of addresses", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const wrong = await exhausted("192.0.2.1", 8);
    for (let network = 0; network < 100; network++) {
      await wrong.count(`2001:db8:${network.toString(16)}::1`);
    }
    // Each counter has a timer that ends it.
    expect(vi.getTimerCount()).toBeLessThanOrEqual(8);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(await wrong.count("192.0.2.1")).toBe(0);
  });
});

describe("wrong credentials", () => {
  it("are answered 429 with Retry-After after too many, and a valid key never is", async () => {
    const { get } = await serveApi();
    const wrong = () => get("/v1/ips/8.8.8.8", [["X-API-Key", "wrong"]]);
    for (let sent = 0; sent < MAX_WRONG; sent++) expect((await wrong()).status).toBe(401);
    const refused = await wrong();
    expect(refused.status).toBe(429);
    expect(Number(refused.header("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 429, errno: 429 });
    expect((await get("/v1/ips/8.8.8.8")).status).toBe(200);
    expect((await wrong()).status).toBe(429);
  });

  it("include tokens of the administration, and the right token passes", async () => {
    const { adminPort: port, admin } = await serveApi();
    const wrong = (path: string) =>
      rawRequest(port, {
        method: "GET",
        path: `/admin/v1${path}`,
        headers: [["Authorization", `Bearer ${ADMIN_TOKEN}x`]],
      });
    for (let sent = 0; sent < MAX_WRONG; sent++) expect((await wrong("/x")).status).toBe(401);
    const refused = await wrong("/applications");
    expect(refused.status).toBe(429);
    expect(Number(refused.header("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await admin("GET", "/applications")).status).toBe(200);
  });
});
