import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBlockList, createGate, createRiskClient } from "@riskgate/core";
import { createWebhookEndpoint, type WebhookEndpoint } from "@riskgate/core/adapter";
import { onTestFinished } from "vitest";
import type { ConsoleRoom } from "./console-room.js";

/** An application with a gate, a block list and a webhook, which the service delivers to. */
export interface GuardedApp {
  readonly applicationId: string;
  /** Asks to sign up from an address, and returns the status. */
  readonly signUp: (ip: string, email?: string) => Promise<number>;
}

export async function openGuardedApp({
  admin,
  baseUrl,
}: Pick<ConsoleRoom, "admin" | "baseUrl">): Promise<GuardedApp> {
  const blockList = createBlockList();
  let webhook: WebhookEndpoint | undefined;
  let gate: ReturnType<typeof createGate> | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === "/hook") {
        const { status, headers, body } = await webhook!.answer(request);
        response.writeHead(status, headers).end(body);
        return;
      }
      const { searchParams } = new URL(request.url ?? "", "http://app");
      const ip = searchParams.get("ip") ?? "";
      const { outcome } = await gate!.decide({ ip, email: searchParams.get("email") ?? undefined });
      response.writeHead(outcome === "reject" ? 403 : 200).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const made = await admin<{ application: { id: string }; key: string; secret: string }>(
    "POST",
    "/applications",
    {
      name: "Guarded",
      webhookUrl: `http://127.0.0.1:${port}/hook`,
      allowedDestinations: ["127.0.0.0/8"],
    },
  );
  webhook = createWebhookEndpoint({
    secrets: made.secret,
    on: { security_response: (response) => void blockList.apply(response) },
  });
  const lookup = createRiskClient({ baseUrl, apiKey: made.key });
  gate = createGate({ lookup, blockList });
  return {
    applicationId: made.application.id,
    async signUp(ip, email = "new@shop.example") {
      const query = new URLSearchParams({ ip, email }).toString();
      const answer = await fetch(`http://127.0.0.1:${port}/signup?${query}`, {
        headers: { connection: "close" },
      });
      return answer.status;
    },
  };
}
