import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type { GatedRequest } from "../../src/decision/gated-request.js";
import { routedPath, routeOf } from "../../src/decision/request-route.js";

const of = (request: object, route?: string) =>
  routeOf({ request: { method: "POST", ...request } as IncomingMessage, route });

describe("routedPath", () => {
  it.each<[string, object, string | undefined]>([
    ["the route, where one path leads to it", { route: "/signup", url: "//signup;x=1" }, "/signup"],
    ["the target, for a pattern", { route: "/users/:id", url: "/users/7" }, "/users/7"],
    ["the target, for any path", { route: "/{proxy+}", url: "/signup" }, "/signup"],
    ["the target, for no path", { route: "$default", url: "/signup" }, "/signup"],
    ["the target, without a route", { url: "/signup" }, "/signup"],
    ["that of the request, without another", { request: { url: "/signup" } }, "/signup"],
  ])("is %s", (_, gated, path) => {
    expect(routedPath({ request: {}, ...gated } as unknown as GatedRequest)).toBe(path);
  });
});

describe("routeOf", () => {
  it.each([
    ["/signup", "POST /signup"],
    ["/signup?email=ann@example.com", "POST /signup"],
    ["/signup#ann", "POST /signup"],
    ["/v1/oauth2/sign-up.html", "POST /v1/oauth2/sign-up.html"],
    ["/", "POST /"],
    ["*", "POST *"],
    ["", "POST "],
    ["/users/ann@example.com/edit", "POST /users/:value/edit"],
    ["/users/ann%40example.com", "POST /users/:value"],
    ["/ip/203.0.113.7", "POST /ip/:value"],
    ["/ip/2001:db8::1", "POST /ip/:value"],
    ["/orders/123456", "POST /orders/:value"],
    ["/reset/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "POST /reset/:value"],
    [`/reset/${"x".repeat(41)}`, "POST /reset/:value"],
    ["/a b/\u001b[2J", "POST /:value/:value"],
  ])("of %s is %s", (url, expected) => {
    expect(of({ url })).toBe(expected);
  });

  it("prefers the pattern of the framework", () => {
    expect(of({ url: "/users/ann" }, "/users/:id")).toBe("POST /users/:id");
  });

  it("masks what a framework has filled into the path where a router is mounted", () => {
    expect(of({ url: "/x" }, "/tenants/123456/users/:id")).toBe("POST /tenants/:value/users/:id");
  });

  it("is the whole path, also of a mounted route", () => {
    expect(of({ url: "/signup", originalUrl: "/api/signup?x" })).toBe("POST /api/signup");
  });

  it("is bounded", () => {
    expect(of({ url: "/a".repeat(50_000) }).length).toBeLessThanOrEqual(200);
  });
});
