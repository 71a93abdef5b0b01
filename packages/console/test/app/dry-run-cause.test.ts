import { describe, expect, it } from "vitest";
import { causePath } from "../../src/app/dry-run-cause.js";

const createdAt = "2026-01-31T12:00:00.000000+00:00";
const response = (properties: object) => ({ createdAt, payload: { properties } });

describe("the causes of a dry run's response", () => {
  it.each<[string, object, object]>([
    [
      "/events?applicationId=a&kind=xss&ip=192.0.2.1&since=2026-01-31T11%3A49%3A59.000Z&until=2026-01-31T12%3A00%3A01.000Z",
      { kinds: ["xss"], windowMs: 600_000 },
      { ips: [{ ip_cidr: "192.0.2.1/32" }] },
    ],
    [
      "/events?applicationId=a&account=ada%40shop.example&since=2026-01-31T11%3A58%3A59.000Z&until=2026-01-31T12%3A00%3A01.000Z",
      { kinds: ["xss", "lfi"], windowMs: 60_000 },
      { ips: [], user_identifiers: [{ email: "ada@shop.example" }] },
    ],
    ["/incidents?applicationId=a", { genres: ["http_scan"] }, {}],
  ])("are at %s", (path, rule, properties) => {
    expect(causePath(response(properties), { applicationId: "a", rule })).toBe(path);
  });
});
