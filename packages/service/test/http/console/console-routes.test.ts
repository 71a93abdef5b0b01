import { rawRequest } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { sendBytes } from "../../support/raw-bytes.js";
import { ADMIN_TOKEN, serveApi } from "../../support/served-api.js";

type Headers = (readonly [name: string, value: string])[];
const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Signs in over plain HTTP, as a page does. */
async function openSession(port: number, more: Headers = []) {
  const answer = await rawRequest(port, {
    method: "POST",
    path: "/console/session",
    headers: [JSON_TYPE, ...more],
    body: JSON.stringify({ token: ADMIN_TOKEN }),
  });
  const [pair = "", ...attributes] = (answer.header("set-cookie") ?? "").split("; ");
  const { csrfToken } = JSON.parse(answer.body) as { csrfToken: string };
  return { answer, pair, attributes, csrfToken };
}

describe("the console", () => {
  it.each(["/console/", "/console/incidents/0d9c4e", "/console/events/a%2Fb", "/console/x.html"])(
    "is one file for every page: %s",
    async (path) => {
      const { adminPort: port } = await serveApi();
      const answer = await rawRequest(port, { method: "GET", path });
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.header("cache-control")).toBe("no-cache");
      expect(answer.body).toContain('<div id="root">');
      expect(answer.body).not.toMatch(/<script>|style=|https?:/);
    },
  );

  it("permits nothing from elsewhere, no script in the page, and no frame around it", async () => {
    const { adminPort: port } = await serveApi();
    const answer = await rawRequest(port, { method: "GET", path: "/console/" });
    const policy = answer.header("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(answer.header("x-content-type-options")).toBe("nosniff");
    expect(answer.header("referrer-policy")).toBe("no-referrer");
  });

  it("serves the files that it names, to be kept", async () => {
    const { adminPort: port } = await serveApi();
    const { body } = await rawRequest(port, { method: "GET", path: "/console/" });
    const names = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(2);
    for (const path of names) {
      const answer = await rawRequest(port, { method: "GET", path });
      expect(answer.status, path).toBe(200);
      expect(answer.header("cache-control")).toContain("immutable");
    }
    const missing = await rawRequest(port, { method: "GET", path: "/console/assets/none.js" });
    expect(missing.status).toBe(404);
    const short = await rawRequest(port, { method: "GET", path: "/console" });
    expect([short.status, short.header("location")]).toEqual([308, "/console/"]);
  });

  it("is not served if it is turned off, while the administration API is", async () => {
    const { adminPort: port, admin } = await serveApi({ console: false });
    for (const path of ["/console", "/console/", "/console/session"]) {
      expect((await rawRequest(port, { method: "GET", path })).status).toBe(404);
    }
    expect((await admin("GET", "/applications")).status).toBe(200);
  });
});

describe("a session of the console", () => {
  it("is a cookie that no script reads and no other site sends", async () => {
    const { adminPort: port } = await serveApi();
    const { answer, pair, attributes, csrfToken } = await openSession(port);
    expect(answer.status).toBe(201);
    expect(answer.header("cache-control")).toBe("no-store");
    expect(pair).toMatch(new RegExp(`^riskgate_session_${port}=[\\w-]{43}$`));
    expect(attributes).toEqual(["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"]);
    expect(pair).not.toContain(csrfToken);
  });

  it("opens the administration API with its token, and only so", async () => {
    const { adminPort: port } = await serveApi();
    const { pair, csrfToken } = await openSession(port);
    const other = await openSession(port);
    const ask = async (...headers: Headers) =>
      (await rawRequest(port, { method: "GET", path: "/admin/v1/applications", headers })).status;
    const [cookie, csrf] = [["Cookie", pair] as const, ["X-CSRF-Token", csrfToken] as const];
    expect(await ask(cookie, csrf)).toBe(200);
    expect(await ask(["Cookie", `a=b; ${pair}; c=d`], csrf)).toBe(200);
    const tossed = `riskgate_session_${port}=evil`;
    expect(await ask(["Cookie", `${tossed}; ${pair}; ${tossed}`], csrf)).toBe(200);
    expect(await ask(cookie, csrf, ["Origin", "http://localhost"])).toBe(200);
    expect(await ask(cookie, csrf, ["Origin", `http://localhost:${port}`])).toBe(401);
    expect(await ask(cookie, csrf, ["Sec-Fetch-Site", "same-origin"])).toBe(200);
    expect(await ask(cookie)).toBe(401);
    expect(await ask(csrf)).toBe(401);
    expect(await ask(cookie, ["X-CSRF-Token", other.csrfToken])).toBe(401);
    expect(await ask(cookie, csrf, ["Origin", "http://evil.example"])).toBe(401);
    expect(await ask(cookie, csrf, ["Sec-Fetch-Site", "same-site"])).toBe(401);
    expect(await ask(cookie, csrf, ["Sec-Fetch-Site", "cross-site"])).toBe(401);
    expect(await ask(cookie, csrf, ["Authorization", "Bearer wrong"])).toBe(401);
  });

  it.each([
    ["Secure, on a page with TLS", undefined, "https://localhost", true],
    ["not Secure, on a page without TLS", undefined, "http://localhost", false],
    ["Secure, for the origin of a proxy", "https://risk.example", "https://risk.example", true],
    ["Secure, without an origin behind TLS", "https://risk.example", undefined, true],
    ["not Secure, past the proxy", "https://risk.example", "http://localhost", false],
  ])("has a cookie that is %s", async (_what, adminOrigin, origin, isSecure) => {
    const { adminPort: port } = await serveApi({ adminOrigin });
    const headers: Headers = origin === undefined ? [] : [["Origin", origin]];
    // A header that anybody can send decides nothing.
    const forwarded = ["X-Forwarded-Proto", isSecure ? "http" : "https"] as const;
    const { answer, pair, attributes, csrfToken } = await openSession(port, [
      forwarded,
      ...headers,
    ]);
    expect(answer.status).toBe(201);
    expect(attributes.includes("Secure")).toBe(isSecure);
    const ended = await rawRequest(port, {
      method: "DELETE",
      path: "/console/session",
      headers: [["Cookie", pair], ["X-CSRF-Token", csrfToken], ...headers],
    });
    expect(ended.header("set-cookie")?.endsWith("; Secure")).toBe(isSecure);
  });

  it.each([
    ["http://risk.example", "risk.example"],
    ["https://evil.example", "risk.example"],
    ["https://evil.example", "localhost"],
  ])("is not opened for the origin %s behind a proxy with TLS", async (origin, host) => {
    const { adminPort } = await serveApi({ adminOrigin: "https://risk.example" });
    const body = JSON.stringify({ token: ADMIN_TOKEN });
    const { status } = await sendBytes(
      adminPort,
      Buffer.from(
        `POST /console/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    );
    expect(status).toBe(403);
  });

  it("ends when it is signed out", async () => {
    const { adminPort: port } = await serveApi();
    const { pair, csrfToken } = await openSession(port);
    const headers: Headers = [
      ["Cookie", pair],
      ["X-CSRF-Token", csrfToken],
    ];
    const signOut = (given: Headers) =>
      rawRequest(port, { method: "DELETE", path: "/console/session", headers: given });
    expect((await signOut([["Cookie", pair]])).status).toBe(401);
    const ended = await signOut(headers);
    expect(ended.status).toBe(200);
    expect(ended.header("set-cookie")).toContain("Max-Age=0");
    const path = "/admin/v1/applications";
    expect((await rawRequest(port, { method: "GET", path, headers })).status).toBe(401);
  });

  it.each([
    ["a wrong token", { token: "another-token-of-another" }, 401],
    ["no token", {}, 400],
    ["a token that is not a string", { token: 1 }, 400],
  ])("is not opened with %s", async (_what, body, status) => {
    const { adminPort: port } = await serveApi();
    const request = { method: "POST", path: "/console/session", body: JSON.stringify(body) };
    const answer = await rawRequest(port, { ...request, headers: [JSON_TYPE] });
    expect(answer.status).toBe(status);
    expect(answer.header("set-cookie")).toBeUndefined();
  });

  it("is not opened by a page of another origin, or by a form", async () => {
    const { adminPort: port } = await serveApi();
    const request = {
      method: "POST",
      path: "/console/session",
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    };
    const ask = (...headers: Headers) => rawRequest(port, { ...request, headers });
    const from = async (...headers: Headers) => (await ask(...headers)).status;
    const refused = await ask(JSON_TYPE, ["Origin", "http://evil.example"]);
    expect(refused.status).toBe(403);
    expect(refused.body).toContain("`--admin-origin`");
    expect(await from(JSON_TYPE, ["Sec-Fetch-Site", "same-site"])).toBe(403);
    expect(await from(["Content-Type", "text/plain"])).toBe(415);
    expect(await from(["Content-Type", "application/x-www-form-urlencoded"])).toBe(415);
  });

  it("makes who guesses wait, and nobody else", async () => {
    const { adminPort: port } = await serveApi();
    const guess = () =>
      rawRequest(port, {
        method: "POST",
        path: "/console/session",
        headers: [JSON_TYPE],
        body: '{"token":"a-guess-at-the-token"}',
      });
    for (let index = 0; index < 20; index++) expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect(refused.status).toBe(429);
    expect(Number(refused.header("retry-after"))).toBeGreaterThan(0);
    expect((await openSession(port)).answer.status).toBe(201);
  });
});
