import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { isInternal } from "../../detection/playbooks/internal-network.js";
import { MAX_DURATION_MS } from "../../detection/playbooks/playbook-response.js";
import { networkOf } from "../../model/network.js";
import type { Subject } from "../../model/subject.js";
import { createAllowedSubjects } from "../../operator/allowed-subjects.js";
import { createOperatorResponses } from "../../operator/operator-responses.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { blockView } from "./block-view.js";
import { readQuery } from "./list-query.js";
import { readSubjects } from "./read-subject.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Serves the blocks in force, and the actions of an operator on addresses and accounts. */
export function addBlockRoutes(
  scope: FastifyInstance,
  {
    storage,
    dispatcher,
    rules,
    isAllowed,
  }: Pick<AdminParts, "storage" | "dispatcher" | "rules" | "isAllowed">,
): void {
  const responses = createOperatorResponses({
    storage,
    clock: storage.clock,
    onQueued: () => dispatcher.wake(),
  });
  const allowed = createAllowedSubjects(rules);

  const readApplication = async (reader: MemberReader): Promise<string | undefined> => {
    const id = reader.text("applicationId", 128);
    if (id === undefined || (await storage.applications.get(id))) return id;
    return reader.refuse("applicationId", "the id of an application");
  };

  addAdminResource(scope, "/blocks", {
    async GET(request) {
      const applicationId = readQuery(request, (query) => query.text("applicationId"));
      return { blocks: (await responses.blocks(applicationId)).map(blockView) };
    },
    async POST({ body }) {
      const reader = new MemberReader(body ?? {}, "the body");
      const subjects = readSubjects(reader);
      const durationMs = reader.whole("durationMs", MINUTE_MS, MAX_DURATION_MS) ?? HOUR_MS;
      const note = reader.line("note", 128);
      const applicationId = await readApplication(reader);
      reader.refuseOthers();
      refuseInternal(subjects);
      refuseAllowed(subjects, isAllowed);
      return { sentTo: await responses.block(subjects, { applicationId, durationMs, note }) };
    },
  });

  addAdminResource(scope, "/releases", {
    async POST({ body }) {
      const reader = new MemberReader(body ?? {}, "the body");
      const subjects = readSubjects(reader);
      const applicationId = await readApplication(reader);
      reader.refuseOthers();
      return { sentTo: await responses.release(subjects, applicationId) };
    },
  });

  addAdminResource(scope, "/allowances", {
    async POST({ body }) {
      const reader = new MemberReader(body ?? {}, "the body");
      const subjects = readSubjects(reader);
      const isAllowed = reader.flag("allowed") ?? true;
      reader.refuseOthers();
      await allowed.set(subjects, isAllowed);
      return { sentTo: isAllowed ? await responses.release(subjects, undefined) : [] };
    },
  });
}

function refuseAllowed(subjects: readonly Subject[], isAllowed: AdminParts["isAllowed"]): void {
  const allowed = subjects.find(({ type, subject }) =>
    type === "ip" ? isAllowed("network", networkOf(subject, 64)) : isAllowed("account", subject),
  );
  if (!allowed) return;
  throw new RiskGateError("INVALID_ARGUMENT", `${allowed.subject} is on the allow-list`, {
    hint: "Stop allowing it first: the allow-list takes precedence over every block",
  });
}

function refuseInternal(subjects: readonly Subject[]): void {
  const internal = subjects.find(({ type, subject }) => type === "ip" && isInternal(subject));
  if (!internal) return;
  throw new RiskGateError("INVALID_ARGUMENT", `\`ips\`: ${internal.subject} is a private address`, {
    hint: "Behind a proxy, many visitors can share it: correct `trustedProxies` in the application",
  });
}
