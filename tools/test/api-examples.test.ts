import { describe, expect, it, onTestFinished } from "vitest";
import { exampleRequest } from "../../packages/console/src/app/example-value.js";
import {
  type OpenapiDocument,
  operationsOf,
} from "../../packages/console/src/app/openapi-document.js";
import { createService } from "../../packages/service/src/service.js";
import { document } from "../../packages/service/test/support/openapi-document.js";
import { startReceiver } from "../../packages/service/test/support/receiver.js";
import { ADMIN_TOKEN } from "../../packages/service/test/support/served-api.js";
import { temporaryDirectory } from "../../packages/service/test/support/temporary-storage.js";

const described = document as unknown as OpenapiDocument;

/** Operations of a browser, which need a session, and the update of lists, which loads from elsewhere. */
const OTHERS = ["signIn", "signOut", "updateFeeds"];

describe("the examples of the API page", () => {
  it("are accepted by the service", async () => {
    const receiver = await startReceiver();
    const service = await createService({
      dataDir: await temporaryDirectory(),
      adminToken: ADMIN_TOKEN,
      metricsToken: "metrics-token-of-the-tests",
      adminProofKey: "proof-key-of-the-tests",
    });
    onTestFinished(() => service.close());
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    const call = async (method: string, target: string, headers: object, body?: unknown) => {
      const response = await fetch(target, {
        method,
        headers: {
          connection: "close",
          ...headers,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text };
    };
    const admin = async (method: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const { text } = await call(method, `${adminUrl}/admin/v1${path}`, headers, body);
      return JSON.parse(text);
    };

    const refused: string[] = [];
    for (const operation of operationsOf(described)) {
      if (OTHERS.includes(operation.id)) continue;
      // Everything that an id can name, anew for each operation, because some delete it.
      const { application, key } = await admin("POST", "/applications", {
        name: "Shop",
        webhookUrl: receiver.url,
        allowedDestinations: ["127.0.0.0/8"],
      });
      const report = await admin("POST", `/applications/${application.id}/keys`, {
        scope: "report",
      });
      const blocks = await admin("POST", `/applications/${application.id}/keys`, {
        scope: "blocks",
      });
      const { path, body } = exampleRequest(described, operation, {
        id: await idFor(/^\/admin\/v1\/(\w+)/.exec(operation.path)?.[1], application.id),
        keyId: report.record.id,
      });
      const headers = {
        apiKey: { "x-api-key": key },
        reportKey: { "x-api-key": report.key },
        blocksKey: { "x-api-key": blocks.key },
        metricsToken: { authorization: "Bearer metrics-token-of-the-tests" },
        adminToken: { authorization: `Bearer ${ADMIN_TOKEN}` },
      }[operation.security[0] ?? ""];
      const origin = operation.isHere ? adminUrl : url;
      const { status, text } = await call(operation.method, origin + path, headers ?? {}, body);
      if (status >= 400)
        refused.push(`${operation.id} ${path} ${JSON.stringify(body)}: ${status} ${text}`);
    }
    expect(refused).toEqual([]);

    /** Makes a record of the application that an operation names, and returns its id. */
    async function idFor(kind: string | undefined, applicationId: string) {
      const own = `/applications/${applicationId}`;
      if (kind === "playbooks") {
        const rule = { kinds: ["xss"] };
        return (await admin("POST", `${own}/playbooks`, { name: "Block", rule })).playbook.id;
      }
      if (kind === "incidents" || kind === "events" || kind === "deliveries") {
        const event = { event_id: `of-${applicationId}`, event_kind: "xss", ips: ["203.0.113.7"] };
        await admin("POST", `${own}/events`, [event]);
        if (kind === "events") return event.event_id;
        if (kind === "incidents") return (await admin("GET", `${own}/incidents`)).incidents[0].id;
        const sent = () => admin("GET", `/deliveries?applicationId=${applicationId}`);
        await expect.poll(async () => (await sent()).deliveries.length).toBeGreaterThan(0);
        return (await sent()).deliveries[0].id;
      }
      return applicationId;
    }
  });
});
