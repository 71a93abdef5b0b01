import { emailProblem, foldEmail, normalizeIp } from "@riskgate/core/address";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../events/member-reader.js";
import type { Subject } from "../../storage/ledger-store.js";
import { addResource } from "../resource.js";
import type { AdminParts } from "./admin-parts.js";

/** Serves the erasure of addresses and accounts, and the feeds. */
export function addMaintenanceRoutes(
  scope: FastifyInstance,
  { storage, feeds, onErased }: AdminParts,
): void {
  addResource(scope, "/erasures", {
    async POST({ body }) {
      const subject = readSubject(body);
      const subjects = await storage.ledger.spellingsOf(subject);
      const erased = await storage.erase(subject);
      for (const one of subjects) onErased(one);
      return { erased };
    },
  });
  addResource(scope, "/feeds", { GET: async () => ({ feeds: feeds.list() }) });
  addResource(scope, "/feeds/reload", {
    async POST() {
      await feeds.reload();
      return { feeds: feeds.list() };
    },
  });
}

/** Reads `{ ip }` or `{ account }`. */
function readSubject(body: unknown): Subject {
  const reader = new MemberReader(body, "the body");
  const [ip, account] = [reader.value("ip"), reader.value("account")];
  if ((ip === undefined) === (account === undefined)) {
    reader.refuse("ip", "given, or `account`, but not both");
  }
  if (ip !== undefined) {
    const subject = normalizeIp(ip) ?? reader.refuse("ip", "an IP address");
    return { type: "ip", subject };
  }
  if (emailProblem(account) !== undefined) {
    reader.refuse("account", "the identifier of an account, at most 320 bytes long");
  }
  return { type: "account", subject: foldEmail(account as string) };
}
