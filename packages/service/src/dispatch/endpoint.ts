import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { SecretValue } from "@riskgate/core";
import type { Application } from "../model/application.js";
import type { Clock } from "../model/instant.js";
import type { SigningSecret } from "../storage/application-store.js";
import type { Allowance, Storage } from "../storage/storage.js";
import { createDestinationRule, type DestinationRule, type Listener } from "./destination-rule.js";
import { type EndpointUrl, parseEndpointUrl } from "./endpoint-url.js";

/** How long an idle connection stays open. Servers close theirs after 5 seconds or more. */
const IDLE_MS = 4_000;

export interface Endpoint {
  /** Undefined if the application's URL is unusable. */
  readonly url: EndpointUrl | undefined;
  /** Secrets in force; the first signs. Undefined without secrets. */
  readonly secrets: readonly [SecretValue, ...SecretValue[]] | undefined;
  readonly isPermitted: DestinationRule;
  /** Pool of connections, all opened under the same rule. */
  readonly agent: HttpAgent;
  /** Undefined if the endpoint has no limit. */
  readonly allowance: Allowance | undefined;
}

/** Reads the endpoint of one application, and rereads it after a change in the storage. */
export class EndpointReader {
  readonly #applicationId: string;
  readonly #storage: Storage;
  readonly #listeners: () => readonly Listener[];
  readonly #clock: Clock;
  #endpoint: Endpoint | undefined;
  /** Revision of the storage at which the endpoint was read. */
  #revision: number | undefined;
  /** Time at which the next secret starts to sign. */
  #secretUntil = Infinity;
  /** The settings under which the connections were opened. */
  #openedFor = "";

  constructor(
    applicationId: string,
    storage: Storage,
    listeners: () => readonly Listener[],
    clock: Clock,
  ) {
    this.#applicationId = applicationId;
    this.#storage = storage;
    this.#listeners = listeners;
    this.#clock = clock;
  }

  /** Returns the current endpoint; undefined if the application receives no deliveries. */
  async read(): Promise<Endpoint | undefined> {
    const { applications } = this.#storage;
    // Read first, so that a change during the read is noticed the next time.
    const revision = this.#storage.revision();
    if (this.#revision !== revision || this.#clock() >= this.#secretUntil) {
      const application = await applications.get(this.#applicationId);
      // The current secret signs everything, even payloads queued before it existed.
      const [secret, ...others] = await signersOf(applications, this.#applicationId);
      this.#secretUntil = secret?.notAfter ?? Infinity;
      this.#endpoint = this.#endpointOf(
        application,
        secret && [secret.value, ...others.map(({ value }) => value)],
      );
      this.#revision = revision;
    }
    return this.#endpoint;
  }

  close(): void {
    this.#endpoint?.agent.destroy();
  }

  #endpointOf(
    application: Application | undefined,
    secrets: Endpoint["secrets"],
  ): Endpoint | undefined {
    if (!application || application.webhookUrl === null || application.disabledAt !== null) {
      return undefined;
    }
    const { webhookUrl, allowedDestinations, maxDeliveriesPerMinute: most } = application;
    const allowance = most === null ? undefined : allowanceOf(most);
    const openedFor = JSON.stringify([webhookUrl, allowedDestinations]);
    if (this.#endpoint && openedFor === this.#openedFor) {
      return { ...this.#endpoint, secrets, allowance };
    }
    this.#openedFor = openedFor;
    return {
      url: parseEndpointUrl(webhookUrl),
      secrets,
      isPermitted: createDestinationRule(allowedDestinations, this.#listeners),
      // The previous agent's connections are not reused and time out.
      agent: createAgent(webhookUrl),
      allowance,
    };
  }
}

/** Returns the secrets in force, the one that signs first. */
export async function signersOf(
  applications: Pick<Storage["applications"], "secretsOf">,
  applicationId: string,
): Promise<readonly SigningSecret[]> {
  const secrets = await applications.secretsOf(applicationId);
  return secrets.toSorted((one, other) => Number(other.signs) - Number(one.signs));
}

/** Divides a limit per minute into windows of about a second, so that the endpoint gets no bursts. */
function allowanceOf(perMinute: number): Allowance {
  const points = Math.ceil(perMinute / 60);
  return { points, duration: (points * 60) / perMinute };
}

function createAgent(url: string): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE_MS };
  if (!url.startsWith("https:")) return new HttpAgent(options);
  // A resumed TLS session would skip the certificate check.
  return new HttpsAgent({ ...options, maxCachedSessions: 0 });
}
