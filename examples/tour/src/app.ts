import { createBlockList, type RiskLookup } from "@riskgate/core";
import { requireDecision, riskGate, webhookRoute } from "@riskgate/express";
import express, { type Express } from "express";

/** Number of payloads that the app's webhook has handled, by type. */
export type Received = Map<string, number>;

/**
 * Creates the guarded application of the tour, as a user would write it.
 *
 * @param received Counts what the webhook handles, for the table of the tour.
 */
export function createApp(lookup: RiskLookup, secret: string, received: Received): Express {
  const blockList = createBlockList();
  const count = (type: string): void => {
    received.set(type, (received.get(type) ?? 0) + 1);
  };
  const app = express();
  app.disable("x-powered-by");

  // The tour plays the proxy in front of the app, so that it can call from any address.
  // Service and application share a process, so the first answers may be slow.
  const budgetMs = 10_000;
  const gate = riskGate({ lookup, blockList, budgetMs, trustedProxies: ["127.0.0.0/8"] });
  app.post("/signup", express.json(), gate, (request, response) => {
    const { outcome, score } = requireDecision(request);
    response.status(201).json({ created: true, watched: outcome === "flag", score });
  });

  app.post(
    "/webhooks/security",
    webhookRoute({
      secrets: secret,
      on: {
        security_event: () => count("security_event"),
        pulse: () => count("pulse"),
        security_response(response) {
          blockList.apply(response);
          count("security_response");
        },
        test: () => count("test"),
      },
    }),
  );
  return app;
}
