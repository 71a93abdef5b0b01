import type { OpenOutbox, OutboxHarness } from "@riskgate/testing";
import { createService, type Service, type ServiceOptions } from "../../src/index.js";

/** Of two, three and four bytes. */
const TEXT = "\u00e9 \u2665 \ud83d\udd12";

const ADMIN_TOKEN = "administration-token-1";

interface Created {
  readonly application: { readonly id: string };
  readonly secret: string;
}

/** A service as the outbox of the contract: events come in by the administration API. */
export function outboxHarness(
  name: string,
  place: () => Promise<Partial<ServiceOptions>>,
): OutboxHarness {
  return {
    name,
    async open(urls): Promise<OpenOutbox> {
      const settings = await place();
      let service: Service;
      let base: string;
      const start = async (): Promise<void> => {
        service = await createService({
          adminToken: ADMIN_TOKEN,
          delivery: {
            maxWaitMs: 10,
            closeGraceMs: 100,
            retry: { maxAttempts: 100, firstWaitMs: 50, lastWaitMs: 200 },
          },
          ...settings,
        });
        base = (await service.listen({ port: 0, host: "127.0.0.1" })).adminUrl;
      };
      const post = async <T>(path: string, body: object): Promise<T> => {
        const answer = await fetch(`${base}/admin/v1${path}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${ADMIN_TOKEN}`,
            "content-type": "application/json",
            connection: "close",
          },
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return (await answer.json()) as T;
      };

      await start();
      const applications: Created[] = [];
      for (const [index, webhookUrl] of urls.entries()) {
        const application = {
          name: `Shop ${index}`,
          webhookUrl,
          allowedDestinations: ["127.0.0.0/8"],
          payloadTypes: ["security_event"],
        };
        applications.push(await post<Created>("/applications", application));
      }
      return {
        secrets: applications.map(({ secret }) => secret),
        async add(endpoint, ids) {
          const events = ids.map((id) => ({
            event_kind: "xss",
            event_id: id,
            humanized_description: TEXT,
          }));
          const path = `/applications/${applications.at(endpoint)!.application.id}/events`;
          const { accepted } = await post<{ accepted: number }>(path, events);
          if (accepted !== ids.length) throw new Error(`${accepted} of ${ids.length} accepted`);
        },
        idOf: ({ event_id: id }) => (typeof id === "string" ? id : undefined),
        async restart() {
          await service.close();
          await start();
        },
        close: async () => service.close(),
      };
    },
  };
}
