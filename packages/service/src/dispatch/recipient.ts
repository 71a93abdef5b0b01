import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { SecretValue } from "@riskgate/core";
import type { Application } from "../storage/applications.js";
import { createDestinationRule, type DestinationRule } from "./destination.js";
import type { DispatchContext } from "./dispatch-context.js";
import { isReceiving } from "./receiving-application.js";
import { type Target, targetOf } from "./target.js";

/** How long a connection is kept without use. Servers end them after 5 seconds and more. */
const IDLE_MS = 4_000;

/** Where deliveries go now, and how. */
export interface Endpoint {
  /** Undefined where the application has a URL that cannot be used. */
  readonly target: Target | undefined;
  /** Undefined where the application has none. */
  readonly secret: SecretValue | undefined;
  readonly isPermitted: DestinationRule;
  /** Keeps connections, all of which were opened under this very rule. */
  readonly agent: HttpAgent;
}

/** The receiving side of an application, with the connections to it. */
export class Recipient {
  readonly #applicationId: string;
  readonly #context: Pick<DispatchContext, "storage" | "settings">;
  #endpoint: Endpoint | undefined;
  /** Revision of the storage that the endpoint was read at. */
  #revision: number | undefined;
  /** The settings that the connections were opened under. */
  #rules = "";

  constructor(applicationId: string, context: Pick<DispatchContext, "storage" | "settings">) {
    this.#applicationId = applicationId;
    this.#context = context;
  }

  /** Where to send to at this moment; undefined when the application takes no deliveries. */
  async endpoint(): Promise<Endpoint | undefined> {
    const { storage } = this.#context;
    if (this.#revision !== storage.revision()) {
      // Taken first: what changes while this is read is read again the next time.
      const revision = storage.revision();
      const application = await storage.applications.get(this.#applicationId);
      // The newest secret signs, also what was made before it.
      const [secret] = await storage.applications.secretsOf(this.#applicationId);
      this.#endpoint = this.#endpointOf(application, secret?.value);
      this.#revision = revision;
    }
    return this.#endpoint;
  }

  /** End the connections that are kept. */
  close(): void {
    this.#endpoint?.agent.destroy();
  }

  #endpointOf(
    application: Application | undefined,
    secret: SecretValue | undefined,
  ): Endpoint | undefined {
    if (!isReceiving(application)) return undefined;
    const { webhookUrl: url, allowedDestinations } = application;
    const rules = JSON.stringify([url, allowedDestinations]);
    if (this.#endpoint && rules === this.#rules) return { ...this.#endpoint, secret };
    this.#rules = rules;
    return {
      target: targetOf(url),
      secret,
      isPermitted: createDestinationRule(allowedDestinations, this.#context.settings.listeners),
      // Connections of the one before are not used again, and end by themselves.
      agent: createAgent(url),
    };
  }
}

function createAgent(url: string): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE_MS };
  if (!url.startsWith("https:")) return new HttpAgent(options);
  // A resumed session would not look at the certificate again.
  return new HttpsAgent({ ...options, maxCachedSessions: 0 });
}
