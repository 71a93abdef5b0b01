import type { Assessment } from "@riskgate/core";
import type { AutonomousSystem, Explanation } from "@riskgate/engine";
import type { AdminClient } from "./admin-client.js";

/** An application, as far as the commands show it. */
export interface ApplicationView {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly kind: string;
  readonly webhookUrl: string | null;
  readonly disabledReason: string | null;
  readonly payloadTypes?: readonly string[];
  readonly [member: string]: unknown;
}

/** A key without its text. */
export interface KeyView {
  readonly id: string;
  readonly hint: string;
  /** Left out by earlier versions of the service, where all keys were for lookups. */
  readonly scope?: string;
  readonly revokedAt: unknown;
}

/** A delivery of the log. */
export interface DeliveryView {
  readonly id: string;
  readonly applicationId: string;
  readonly state: string;
  readonly payloadCount: number;
  readonly bodyBytes: number;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly [member: string]: unknown;
}

/** One attempt of a delivery. */
interface AttemptView {
  readonly number: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly location: string | null;
  readonly excerpt: string | null;
}

/** A rule of the operator. */
interface RuleView {
  readonly name: string;
  readonly outcome: string;
  readonly when: object;
  readonly note?: string;
}

/** An event that the ledger has of an address or account. */
interface LedgerEntryView {
  /** Null where the event is no longer stored. */
  readonly kind: string | null;
  readonly occurredAt: string;
  readonly highRisk: boolean;
}

/** The reasons for a score, as far as the commands read them; the rest is shown as it is. */
export interface ExplanationView {
  readonly assessment: Assessment;
  readonly signals: Explanation<Assessment>["signals"];
  readonly feeds: Explanation<Assessment>["feeds"];
  readonly ledger: { readonly entries: readonly LedgerEntryView[] };
  /** Of an address only. */
  readonly geo?: { readonly country: string | null; readonly asn: AutonomousSystem | null };
  readonly rules: readonly object[];
}

/** What the commands ask of the administration API, and under which paths. */
export interface AdminApi {
  createApplication(
    settings: object,
  ): Promise<{ application: ApplicationView; key: string; secret: string }>;
  listApplications(): Promise<readonly ApplicationView[]>;
  showApplication(id: string): Promise<{ application: ApplicationView; keys: readonly KeyView[] }>;
  changeApplication(id: string, settings: object): Promise<ApplicationView>;
  switchApplication(id: string, to: "enable" | "disable"): Promise<ApplicationView>;
  /** Have a test payload delivered; gives its id. */
  testApplication(id: string): Promise<string>;
  deleteApplication(id: string): Promise<void>;
  /** Make a key for lookups, or one for reports. */
  addKey(id: string, scope?: "report"): Promise<string>;
  revokeKey(id: string, keyId: string): Promise<void>;
  /** `signsFrom` is when the new secret signs; null for at once. */
  rotateSecret(id: string, settings: object): Promise<{ secret: string; signsFrom: string | null }>;
  /** Sign with the new secret now; false where no rotation is under way. */
  finishRotation(id: string): Promise<boolean>;
  listDeliveries(query: Readonly<Record<string, string>>): Promise<readonly DeliveryView[]>;
  showDelivery(id: string): Promise<{ delivery: DeliveryView; attempts: readonly AttemptView[] }>;
  retryDelivery(id: string): Promise<DeliveryView>;
  reloadFeeds(): Promise<void>;
  /** Rules of the operator, in their order. */
  listRules(): Promise<readonly RuleView[]>;
  /** Put others in their place; gives how many are in use then. */
  replaceRules(rules: readonly object[]): Promise<number>;
  /** The reasons for a score. */
  explain(subject: "ip" | "email", identifier: string): Promise<ExplanationView>;
  /** Forget an address or account; gives what was erased. */
  erase(subject: object): Promise<unknown>;
}

/** Name the calls of a client. */
export function createAdminApi(client: AdminClient): AdminApi {
  const call: AdminClient["call"] = (...question) => client.call(...question);
  const application = (id: string): string => `/applications/${encodeURIComponent(id)}`;
  const delivery = (id: string): string => `/deliveries/${encodeURIComponent(id)}`;
  const as = async <T>(answer: Promise<unknown>): Promise<T> => (await answer) as T;
  return {
    createApplication: (settings) => as(call("POST", "/applications", settings)),
    listApplications: async () =>
      (await as<{ applications: ApplicationView[] }>(call("GET", "/applications"))).applications,
    showApplication: (id) => as(call("GET", application(id))),
    changeApplication: async (id, settings) =>
      (await as<{ application: ApplicationView }>(call("PATCH", application(id), settings)))
        .application,
    switchApplication: async (id, to) =>
      (await as<{ application: ApplicationView }>(call("POST", `${application(id)}/${to}`, {})))
        .application,
    testApplication: async (id) =>
      (await as<{ id: string }>(call("POST", `${application(id)}/test`, {}))).id,
    async deleteApplication(id) {
      await call("DELETE", application(id));
    },
    addKey: async (id, scope) =>
      (await as<{ key: string }>(call("POST", `${application(id)}/keys`, scope ? { scope } : {})))
        .key,
    async revokeKey(id, keyId) {
      await call("DELETE", `${application(id)}/keys/${encodeURIComponent(keyId)}`);
    },
    rotateSecret: (id, settings) => as(call("POST", `${application(id)}/secrets`, settings)),
    finishRotation: async (id) =>
      (await as<{ finished: boolean }>(call("POST", `${application(id)}/secrets/finish`, {})))
        .finished,
    listDeliveries: async (query) =>
      (
        await as<{ deliveries: DeliveryView[] }>(
          call("GET", `/deliveries?${new URLSearchParams(query).toString()}`),
        )
      ).deliveries,
    showDelivery: (id) => as(call("GET", delivery(id))),
    retryDelivery: async (id) =>
      (await as<{ delivery: DeliveryView }>(call("POST", `${delivery(id)}/retry`, {}))).delivery,
    async reloadFeeds() {
      await call("POST", "/feeds/reload", {});
    },
    listRules: async () => (await as<{ rules: RuleView[] }>(call("GET", "/rules"))).rules,
    replaceRules: async (rules) =>
      (await as<{ count: number }>(call("PUT", "/rules", { rules }))).count,
    explain: (subject, identifier) =>
      as(call("GET", `/explain/${subject}s/${encodeURIComponent(identifier)}`)),
    erase: async (subject) =>
      (await as<{ erased: unknown }>(call("POST", "/erasures", subject))).erased,
  };
}
