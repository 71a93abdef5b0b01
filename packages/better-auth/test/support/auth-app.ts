import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createDevices, type Devices, type Reporter } from "@riskgate/web";
import type { BetterAuthOptions } from "better-auth";
import express from "express";
import { Hono } from "hono";
import { SqliteDialect } from "kysely";
import Libsql from "libsql";
import { onTestFinished } from "vitest";
import { type SessionOwner } from "../../src/index.js";
import { riskGate, type RiskGateOptions } from "../../src/risk-gate.js";
import { Browser } from "./browser.js";
import { type OAuthServer, startOAuthServer } from "./oauth-server.js";

export type Framework = "Express" | "Hono";

/** The parts of one version of Better Auth. */
export interface Library {
  readonly betterAuth: (options: BetterAuthOptions) => SessionOwner & {
    readonly handler: (request: Request) => Promise<Response>;
  };
  readonly getMigrations: (
    options: BetterAuthOptions,
  ) => Promise<{ runMigrations(): Promise<void> }>;
  readonly toNodeHandler: (auth: {
    handler: (request: Request) => Promise<Response>;
  }) => RequestListener;
  readonly plugins: {
    magicLink(options: object): unknown;
    emailOTP(options: object): unknown;
    genericOAuth(options: object): unknown;
  };
}

export interface AuthApp {
  readonly auth: SessionOwner;
  readonly oauth: OAuthServer;
  readonly device: Devices;
  /** Links and codes that were sent, by email. */
  readonly sent: ReadonlyMap<string, string>;
  /** Logins that were reported, as `email outcome`. */
  readonly logins: readonly string[];
  readonly url: string;
  browser(): Browser;
}

/** Scores by the first word of the email. */
const SCORES: Readonly<Record<string, number>> = { reject: 95, challenge: 65, flag: 50 };

const lookup = {
  lookupIp: async (ip: string) => Promise.resolve({ ip, risk_score: 0 }),
  async lookupEmail(email: string) {
    const [word = ""] = email.split(/[-@]/);
    if (word === "down") throw new Error("the service is down");
    return Promise.resolve({ email, risk_score: SCORES[word] ?? 0 });
  },
};

/** Serves Better Auth with the plugin and a database in memory until the test ends. */
export async function openAuthApp(
  { betterAuth, getMigrations, toNodeHandler, plugins }: Library,
  framework: Framework,
  options: Partial<RiskGateOptions> = {},
): Promise<AuthApp> {
  const oauth = await startOAuthServer();
  const sent = new Map<string, string>();
  const logins: string[] = [];
  const reporter = {
    login: ({ account, success }: { account: string; success: boolean }) =>
      void logins.push(`${account} ${success ? "success" : "failure"}`),
  } as unknown as Reporter;
  const device = createDevices({ secrets: "d".repeat(32), insecure: true });
  let listener: RequestListener | undefined;
  const server = createServer((request, response) => listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const database = new Libsql(":memory:");
  onTestFinished(async () => {
    await oauth.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    database.close();
  });

  const send = (email: string, value: string) => void sent.set(email, value);
  const settings = {
    baseURL: url,
    secret: "value-0123456789abcdef-0123456789abcdef",
    database: { dialect: new SqliteDialect({ database }), type: "sqlite" as const },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      sendResetPassword: async ({ user, url: link }: { user: { email: string }; url: string }) =>
        Promise.resolve(send(user.email, link)),
    },
    user: { changeEmail: { enabled: true, updateEmailWithoutVerification: true } },
    plugins: [
      plugins.magicLink({
        sendMagicLink: ({ email, url: link }: { email: string; url: string }) => send(email, link),
      }),
      plugins.emailOTP({
        sendVerificationOTP: async ({ email, otp }: { email: string; otp: string }) =>
          Promise.resolve(send(email, otp)),
      }),
      plugins.genericOAuth({
        config: [
          {
            providerId: "local",
            clientId: "id",
            clientSecret: "secret",
            authorizationUrl: `${oauth.url}/authorize`,
            tokenUrl: `${oauth.url}/token`,
            userInfoUrl: `${oauth.url}/userinfo`,
          },
        ],
      }),
      riskGate({
        lookup,
        reporter,
        device,
        clientAddress: (request) => request.headers.get("x-real-ip"),
        challengeAbove: 60,
        challenge: { secrets: "c".repeat(32) },
        verifyChallenge: (request) => request.headers.get("x-captcha") === "solved",
        onError() {},
        ...options,
      }),
    ],
  } as unknown as BetterAuthOptions;
  const auth = betterAuth(settings);
  await (await getMigrations(settings)).runMigrations();
  listener = listenerOf(framework, auth, toNodeHandler);
  return { auth, oauth, device, sent, logins, url, browser: () => new Browser(url) };
}

function listenerOf(
  framework: Framework,
  auth: Parameters<Library["toNodeHandler"]>[0],
  toNodeHandler: Library["toNodeHandler"],
): RequestListener {
  if (framework === "Express") {
    const handle = toNodeHandler(auth);
    return express().all("/api/auth/*splat", (request, response) => handle(request, response));
  }
  const app = new Hono().on(["GET", "POST"], "/api/auth/*", (c) => auth.handler(c.req.raw));
  const listen = getRequestListener(app.fetch);
  return (request, response) => void listen(request, response);
}
