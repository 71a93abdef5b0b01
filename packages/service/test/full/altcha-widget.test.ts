import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createRequestGate } from "@riskgate/core/adapter";
import { createAltchaChallenge } from "@riskgate/core/altcha";
import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { browserPath, sharedBrowser } from "../support/browser.js";

const require = createRequire(import.meta.url);
const widget = join(dirname(require.resolve("altcha")), "altcha.min.js");
const EMAIL = "ann@shop.example";

const PAGE = `<!doctype html><meta charset="utf-8"><title>Sign up</title>
<script type="module" src="/altcha.js"></script>
<form><input name="email" value="${EMAIL}"></form><output></output>
<script type="module">
  const form = document.querySelector("form");
  const send = async (more) => {
    const body = JSON.stringify({ email: "${EMAIL}", ...more });
    const headers = { "content-type": "application/json" };
    return fetch("/signup", { method: "POST", headers, body });
  };
  await customElements.whenDefined("altcha-widget");
  const { challengeToken, altcha } = await (await send({})).json();
  const element = document.createElement("altcha-widget");
  element.addEventListener("statechange", async ({ detail }) => {
    if (detail.state !== "verified") return;
    const answer = await send({ challengeToken, altcha: detail.payload });
    document.querySelector("output").textContent = answer.status;
  });
  element.setAttribute("auto", "onload");
  element.setAttribute("challenge", JSON.stringify(altcha));
  form.append(element);
</script>`;

/** A page and a route whose sign-ups are challenged; answers nothing else. */
async function openShop() {
  const gate = createRequestGate<[IncomingMessage, ServerResponse]>({
    lookup: createFakeLookup({ [EMAIL]: { risk_score: 70 } }),
    challengeAbove: 60,
    budgetMs: 60_000,
    challenge: createAltchaChallenge({
      secret: "altcha-secret-of-at-least-32-bytes",
      minTries: 20,
      maxTries: 40,
      iterations: 100,
    }),
  });
  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      if (request.url === "/") return void response.end(PAGE);
      if (request.url === "/altcha.js") {
        return void response
          .writeHead(200, { "content-type": "text/javascript" })
          .end(readFileSync(widget));
      }
      if (request.url !== "/signup") return void response.writeHead(404).end();
      const chunks = (await request.toArray()) as Buffer[];
      const passes = await gate.guard({
        args: [request, response],
        request,
        response,
        ip: "8.8.8.8",
        body: JSON.parse(Buffer.concat(chunks).toString()),
        unsafeTrust: () => undefined,
        attach() {},
        addHeader() {},
        sendReply: ({ status, headers, body }) =>
          void response.writeHead(status, headers).end(body),
        isAnswered: () => response.headersSent,
      });
      if (passes) response.writeHead(201).end();
    };
    handle().catch(() => response.writeHead(500).end());
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe.skipIf(!browserPath)(
  browserPath ? "the ALTCHA widget" : "the ALTCHA widget is not tried: no chromium",
  () => {
    const browser = sharedBrowser();

    it("solves the task of a gate, and asks no other host", async () => {
      const port = await openShop();
      const page = await browser().newPage();
      const others: string[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        const isOurs = url.protocol === "blob:" || url.protocol === "data:";
        if (url.host !== `localhost:${port}` && !isOurs) others.push(request.url());
      });
      // A browser gives WebCrypto to `localhost`, and to `https`.
      await page.goto(`http://localhost:${port}/`);
      await expect
        .poll(() => page.locator("output").textContent(), { timeout: 60_000 })
        .toBe("201");
      expect(others).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
      await page.close();
    });
  },
);
