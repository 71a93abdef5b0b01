export interface paths {
    readonly "/v1/emails/{email}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Research one email address */
        readonly get: operations["lookupEmail"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/ips/{ip}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Research one IP address */
        readonly get: operations["lookupIp"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reports/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Report security events of the application of the key */
        readonly post: operations["reportEvents"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reports/logins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Report login outcomes of the application of the key */
        readonly post: operations["reportLogins"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reports/counters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Report samples of counters of the application of the key */
        readonly post: operations["reportCounters"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reports/decisions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Log decisions of the application of the key
         * @description Nothing follows from them; they are kept for rehearsals as long as events. One whose id was
         *     reported before is a duplicate.
         */
        readonly post: operations["reportDecisions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/healthz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Check that the process answers */
        readonly get: operations["health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Check that the service takes requests
         * @description It does when its database answers and it is not stopping.
         */
        readonly get: operations["readiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the counters
         * @description Open to the networks that administration is open to, by default to this machine; or, where a
         *     token for it is set, to whoever has that.
         */
        readonly get: operations["metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read this document */
        readonly get: operations["openapi"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the applications */
        readonly get: operations["listApplications"];
        readonly put?: never;
        /** Create an application with a key and a signing secret */
        readonly post: operations["createApplication"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show an application with its keys */
        readonly get: operations["showApplication"];
        readonly put?: never;
        readonly post?: never;
        /** Delete an application with its keys, secrets, events and playbooks */
        readonly delete: operations["deleteApplication"];
        readonly options?: never;
        readonly head?: never;
        /** Change settings of an application */
        readonly patch: operations["updateApplication"];
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/disable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Stop its deliveries and cancel those that wait */
        readonly post: operations["disableApplication"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/enable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Start its deliveries again */
        readonly post: operations["enableApplication"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Queue a test payload */
        readonly post: operations["sendTestPayload"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the keys of an application */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /** Make another key */
        readonly post: operations["addKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/keys/{keyId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Revoke a key */
        readonly delete: operations["revokeKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/secrets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the signing secrets that are valid */
        readonly get: operations["listSecrets"];
        readonly put?: never;
        /** Make a new signing secret, or take the one given */
        readonly post: operations["rotateSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/secrets/finish": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** End the overlap of a rotation now */
        readonly post: operations["finishRotation"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/playbooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the playbooks of an application */
        readonly get: operations["listPlaybooks"];
        readonly put?: never;
        /** Create a playbook */
        readonly post: operations["createPlaybook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/playbooks/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show a playbook */
        readonly get: operations["showPlaybook"];
        readonly put?: never;
        readonly post?: never;
        /** Delete a playbook */
        readonly delete: operations["deletePlaybook"];
        readonly options?: never;
        readonly head?: never;
        /** Change a playbook */
        readonly patch: operations["updatePlaybook"];
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/responses": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List what the playbooks of an application sent */
        readonly get: operations["listResponses"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/decisions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List decisions that applications logged */
        readonly get: operations["listDecisions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List deliveries */
        readonly get: operations["listDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/deliveries/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show a delivery with every attempt */
        readonly get: operations["showDelivery"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/deliveries/{id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a delivery now, a finished one again */
        readonly post: operations["retryDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List security events of an application */
        readonly get: operations["listEvents"];
        readonly put?: never;
        /** Report security events */
        readonly post: operations["reportEventsOf"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/logins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Report login outcomes */
        readonly post: operations["reportLoginsOf"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/counters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Report samples of counters */
        readonly post: operations["reportCountersOf"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/incidents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List incidents of an application */
        readonly get: operations["listIncidents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/overview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show how the service is doing, and what needs attention */
        readonly get: operations["showOverview"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/rehearsal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Try other thresholds on recent scores and logged decisions
         * @description `lookups` are the answers of the last 24 hours, counted in the memory of this process since it was
         *     started, and judged by the thresholds given beside those that gates have by default.
         *     `decisions` are the newest 10,000 that applications logged, decided again. The
         *     default of an omitted threshold is the service's, or that of each decision, moved if it would
         *     cross another.
         */
        readonly get: operations["rehearse"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/playbooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the playbooks of all applications */
        readonly get: operations["listAllPlaybooks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/playbooks/dry-run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Try a playbook on the events of the last days */
        readonly post: operations["dryRunNewPlaybook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/playbooks/{id}/dry-run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Try a stored playbook on the events of the last days */
        readonly post: operations["dryRunPlaybook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/deliveries/{id}/request": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show a delivery as it is sent */
        readonly get: operations["showDeliveryRequest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/applications/{id}/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Check a signature with the secrets of an application */
        readonly post: operations["verifySignature"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/incidents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the incidents of all applications */
        readonly get: operations["listAllIncidents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/incidents/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show an incident with its events and the responses that followed */
        readonly get: operations["showIncident"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the security events of all applications */
        readonly get: operations["listAllEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/events/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show a security event with its incidents and the responses that followed */
        readonly get: operations["showEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/feeds/update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Ask for the published lists now */
        readonly post: operations["updateFeeds"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/erasures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Forget an address or an account */
        readonly post: operations["erase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/rules": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the rules of the operator */
        readonly get: operations["listRules"];
        /**
         * Replace the rules of the operator
         * @description The whole set. Where something in it cannot be used, `details` of the refusal names each
         *     place with a JSON Pointer and the reason, and nothing is changed.
         */
        readonly put: operations["replaceRules"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/rules/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check the text of rules
         * @description As a settings file of rules; nothing is changed.
         */
        readonly post: operations["checkRules"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/rules/dry-run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Try rules on the addresses and emails of the last days' events
         * @description Those of the newest 10,000 events of all applications, as they are scored now: by the rules in use
         *     and by the rules given. Nothing is changed.
         */
        readonly post: operations["dryRunRules"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/feeds": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the feeds in use */
        readonly get: operations["listFeeds"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/feeds/reload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Load the feeds and the geo database again */
        readonly post: operations["reloadFeeds"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/explain/ips/{ip}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain the score of an IP address
         * @description Every signal with its weight and its source, the feeds that were asked with their age, and the
         *     entries of the ledger. The scores of lookups are made from the same.
         */
        readonly get: operations["explainIp"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/explain/emails/{email}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain the score of an email address
         * @description Every signal with its weight and its source, the feeds that were asked with their age, and the
         *     entries of the ledger. The scores of lookups are made from the same.
         */
        readonly get: operations["explainEmail"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/admin/v1/proof/{nonce}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Prove to a program on this machine that the service is the one it knows
         * @description Only if the service has a key for it. No token is needed.
         */
        readonly get: operations["prove"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/session": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Open a session of the console
         * @description Sets a cookie that is sent with every request and that no script can read. With it, and with
         *     the token of the answer as `X-CSRF-Token`, the administration API answers as with the
         *     administration token. Programs use that token instead.
         */
        readonly post: operations["signIn"];
        /**
         * End a session of the console
         * @description With the cookie and the `X-CSRF-Token` of the session.
         */
        readonly delete: operations["signOut"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Payloads for an application
         * @description Posted to the application's own URL. 200 to 299 is success; every other status, a redirect
         *     too, is a failure, and the same bytes are sent again later.
         */
        readonly post: operations["deliver"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        readonly EmailAssessment: {
            /** @description The address, exactly as asked. */
            readonly email: string;
            readonly risk_score: components["schemas"]["RiskScore"];
            /** @description The address was used in an attack. */
            readonly is_known_attacker: boolean;
            readonly high_risk_security_events_count: components["schemas"]["Count"];
            readonly security_events_count: components["schemas"]["Count"];
            /** @description Its domain belongs to a vendor of temporary or anonymised addresses. */
            readonly is_disposable: boolean;
            /** @description It is malformed according to RFC 5322. */
            readonly is_email_malformed: boolean;
            /** @description The address itself is a risk, for example because it embeds script code. */
            readonly is_email_harmful: boolean;
        };
        readonly IpAssessment: {
            /** @description The address, in its normal form. */
            readonly ip: string;
            /** @enum {integer} */
            readonly ip_version: 4 | 6;
            readonly risk_score: components["schemas"]["RiskScore"];
            /** @description The address was used in an attack. */
            readonly is_known_attacker: boolean;
            readonly security_events_count: components["schemas"]["Count"];
            readonly high_risk_security_events_count: components["schemas"]["Count"];
            readonly ip_geo: components["schemas"]["Geo"];
            readonly is_datacenter: boolean;
            readonly is_vpn: boolean;
            readonly is_proxy: boolean;
            /** @description The address is not globally reachable. */
            readonly is_private: boolean;
            /** @description It is a Tor exit. */
            readonly is_tor: boolean;
        };
        /** @description Above 80 should be dropped; above 40 should be flagged and watched. */
        readonly RiskScore: number;
        readonly Count: number;
        /** @description Empty if the location is unknown. */
        readonly Geo: {
            readonly latitude?: number;
            readonly longitude?: number;
            /** @description ISO 3166 alpha-3. */
            readonly country_code?: string;
            readonly city?: string | null;
        };
        readonly Error: {
            /** @description The status. */
            readonly code: number;
            readonly details: string;
            /** @description The status once more. */
            readonly errno: number;
            readonly error: string;
            readonly info: string;
            readonly message: string;
        };
        readonly Instant: string;
        readonly InstantOrNull: components["schemas"]["Instant"] | null;
        /** @enum {string} */
        readonly EventKind: "auth_scan_real_accounts" | "auth_scan_success" | "auth_bruteforce" | "auth_bruteforce_success" | "auth_new_location" | "auth_tor_tentative" | "auth_multi_locations" | "nosql_injection" | "shell_injection" | "shellshock" | "sql_injection" | "xss" | "evaluation" | "lfi" | "package_vulnerable" | "bot_scanning" | "not_found" | "scan" | "auth_scan";
        /** @enum {string} */
        readonly IncidentGenre: "vulnerable_packages" | "injection_eval" | "http_4xx_peak" | "http_5xx_peak" | "injection_lfi" | "injection_nosql" | "injection_sql" | "injection_shell" | "injection_shellshock" | "injection_xss" | "http_scan" | "failed_auth_peak" | "account_enumeration" | "user_risk_increased" | "account_takeover_success" | "account_enumeration_success" | "account_takeover" | "account_enumeration_real_accounts";
        /** @enum {string} */
        readonly DeliveryState: "pending" | "delivered" | "dead" | "cancelled";
        /** @description What is left out stays, or has its default. */
        readonly ApplicationSettings: {
            readonly name?: string;
            readonly environment?: string;
            /** @enum {string} */
            readonly kind?: "ordinary" | "sandbox";
            readonly webhookUrl?: string | null;
            readonly payloadTypes?: readonly ("security_event" | "pulse" | "security_response" | "test")[];
            readonly eventKinds?: readonly components["schemas"]["EventKind"][] | null;
            readonly incidentGenres?: readonly components["schemas"]["IncidentGenre"][] | null;
            readonly oneTypePerCall?: boolean;
            readonly maxBodyBytes?: number;
            readonly allowedDestinations?: readonly string[];
        };
        readonly NewApplication: {
            readonly name: string;
            readonly environment?: string;
            /** @enum {string} */
            readonly kind?: "ordinary" | "sandbox";
            readonly webhookUrl?: string | null;
            readonly payloadTypes?: readonly ("security_event" | "pulse" | "security_response" | "test")[];
            readonly eventKinds?: readonly components["schemas"]["EventKind"][] | null;
            readonly incidentGenres?: readonly components["schemas"]["IncidentGenre"][] | null;
            readonly oneTypePerCall?: boolean;
            readonly maxBodyBytes?: number;
            readonly allowedDestinations?: readonly string[];
        };
        readonly Application: {
            readonly id: string;
            readonly name: string;
            readonly environment: string;
            /** @enum {string} */
            readonly kind: "ordinary" | "sandbox";
            readonly webhookUrl: string | null;
            readonly payloadTypes: readonly ("security_event" | "pulse" | "security_response" | "test")[];
            readonly eventKinds: readonly components["schemas"]["EventKind"][] | null;
            readonly incidentGenres: readonly components["schemas"]["IncidentGenre"][] | null;
            readonly oneTypePerCall: boolean;
            readonly maxBodyBytes: number;
            readonly allowedDestinations: readonly string[];
            readonly failingSince: components["schemas"]["InstantOrNull"];
            readonly disabledAt: components["schemas"]["InstantOrNull"];
            readonly disabledReason: string | null;
            readonly createdAt: components["schemas"]["Instant"];
        };
        readonly NewKey: {
            /**
             * @default lookup
             * @enum {string}
             */
            readonly scope?: "lookup" | "report";
        };
        readonly ApiKey: {
            readonly id: string;
            readonly applicationId: string;
            /** @enum {string} */
            readonly scope: "lookup" | "report";
            /** @description The last four characters. */
            readonly hint: string;
            readonly createdAt: components["schemas"]["Instant"];
            readonly revokedAt: components["schemas"]["InstantOrNull"];
        };
        readonly SigningSecret: {
            readonly id: string;
            readonly applicationId: string;
            readonly createdAt: components["schemas"]["Instant"];
            readonly notAfter: components["schemas"]["InstantOrNull"];
            readonly signs: boolean;
        };
        readonly Rotation: {
            /** @default 86400000 */
            readonly overlapMs?: number;
            readonly secret?: string;
        };
        /** @description Exactly one of kinds, genres and accountScoreAbove. */
        readonly PlaybookRule: {
            readonly kinds?: readonly components["schemas"]["EventKind"][];
            readonly genres?: readonly components["schemas"]["IncidentGenre"][];
            readonly accountScoreAbove?: number;
            readonly count?: number;
            readonly windowMs?: number;
            /** @enum {string} */
            readonly per?: "address" | "account" | "application";
        };
        readonly PlaybookSettings: {
            readonly name?: string;
            readonly rule?: components["schemas"]["PlaybookRule"];
            readonly response?: Record<string, unknown>;
            readonly enabled?: boolean;
        };
        readonly NewPlaybook: {
            readonly name: string;
            readonly rule: components["schemas"]["PlaybookRule"];
            readonly response?: Record<string, unknown>;
            readonly enabled?: boolean;
        };
        readonly Playbook: {
            readonly id: string;
            readonly applicationId: string;
            readonly name: string;
            readonly rule: components["schemas"]["PlaybookRule"];
            readonly response: Record<string, unknown>;
            readonly enabled: boolean;
            readonly createdAt: components["schemas"]["Instant"];
        };
        readonly RecordedResponse: {
            readonly id: string;
            readonly applicationId: string;
            readonly playbookId: string;
            readonly subject: string;
            readonly createdAt: components["schemas"]["Instant"];
            readonly endsAt: components["schemas"]["Instant"];
            readonly payload: Record<string, unknown>;
        };
        readonly Delivery: {
            readonly id: string;
            readonly applicationId: string;
            readonly seq: components["schemas"]["Count"];
            readonly payloadCount: components["schemas"]["Count"];
            readonly bodyBytes: components["schemas"]["Count"];
            readonly createdAt: components["schemas"]["Instant"];
            readonly state: components["schemas"]["DeliveryState"];
            readonly attempts: components["schemas"]["Count"];
            readonly nextAttemptAt: components["schemas"]["InstantOrNull"];
            readonly lastStatus: number | null;
            readonly lastError: string | null;
        };
        readonly Attempt: {
            readonly number: components["schemas"]["Count"];
            readonly startedAt: components["schemas"]["Instant"];
            readonly durationMs: number;
            readonly status: number | null;
            readonly error: string | null;
            readonly location: string | null;
            readonly excerpt: string | null;
        };
        readonly Overview: {
            readonly at: components["schemas"]["Instant"];
            readonly applications: components["schemas"]["Count"];
            readonly deliveries: {
                readonly pending: components["schemas"]["Count"];
                readonly delivered: components["schemas"]["Count"];
                readonly dead: components["schemas"]["Count"];
                readonly cancelled: components["schemas"]["Count"];
            };
            readonly waitingPayloads: components["schemas"]["Count"];
            readonly openIncidents: components["schemas"]["Count"];
            readonly lookups: {
                readonly stepMs: components["schemas"]["Count"];
                readonly steps: readonly components["schemas"]["LookupStep"][];
            };
            readonly feeds: readonly components["schemas"]["Feed"][];
            readonly usage: {
                readonly databaseBytes: components["schemas"]["Count"];
                readonly freeBytes?: components["schemas"]["Count"];
            };
            readonly attention: readonly components["schemas"]["Attention"][];
        };
        readonly LookupStep: {
            readonly at: components["schemas"]["Instant"];
            readonly allow: components["schemas"]["Count"];
            readonly flag: components["schemas"]["Count"];
            readonly reject: components["schemas"]["Count"];
            readonly refused: components["schemas"]["Count"];
            readonly failed: components["schemas"]["Count"];
        };
        readonly Attention: {
            /** @enum {string} */
            readonly what: "application_disabled" | "endpoint_failing" | "deliveries_dead" | "payloads_waiting" | "feed_old" | "feed_empty" | "disk_full";
            readonly message: string;
            readonly applicationId: string | null;
        };
        readonly DryRunDays: {
            /** @default 7 */
            readonly days?: number;
        };
        readonly NewDryRun: {
            readonly name?: string;
            readonly rule: components["schemas"]["PlaybookRule"];
            readonly response?: Record<string, unknown>;
            /** @default 7 */
            readonly days?: number;
        };
        readonly DryRun: {
            readonly since: components["schemas"]["Instant"];
            readonly events: components["schemas"]["Count"];
            readonly isPartial: boolean;
            readonly responseCount: components["schemas"]["Count"];
            readonly responses: readonly {
                readonly createdAt: components["schemas"]["Instant"];
                readonly endsAt: components["schemas"]["Instant"];
                readonly payload: Record<string, unknown>;
            }[];
        };
        readonly DeliveryRequest: {
            /** @constant */
            readonly method: "POST";
            readonly url: string | null;
            readonly headers: readonly {
                readonly name: string;
                readonly value: string;
            }[];
            readonly secretId: string | null;
            readonly body: string | null;
        };
        readonly SignatureCheck: {
            readonly body: string;
            readonly signature: string;
        };
        readonly Occurrence: {
            readonly name: string;
            readonly events: components["schemas"]["Count"];
        };
        readonly IncidentHistory: {
            readonly incident: components["schemas"]["RecordedIncident"];
            readonly events: readonly components["schemas"]["RecordedEvent"][];
            readonly isPartial: boolean;
            readonly addresses: readonly components["schemas"]["Occurrence"][];
            readonly accounts: readonly components["schemas"]["Occurrence"][];
            readonly responses: readonly components["schemas"]["RecordedResponse"][];
        };
        readonly EventHistory: {
            readonly event: components["schemas"]["RecordedEvent"];
            readonly incidents: readonly components["schemas"]["RecordedIncident"][];
            readonly responses: readonly components["schemas"]["RecordedResponse"][];
        };
        readonly FeedOutcome: {
            readonly name: string;
            /** @enum {string} */
            readonly state: "unchanged" | "updated" | "refused";
            readonly reason: string | null;
        };
        readonly SignIn: {
            readonly token: string;
        };
        readonly RecordedEvent: {
            readonly seq: components["schemas"]["Count"];
            readonly id: string;
            readonly applicationId: string;
            readonly kind: string;
            readonly category: string;
            readonly occurredAt: components["schemas"]["Instant"];
            readonly highRisk: boolean;
            readonly payload: Record<string, unknown>;
            readonly receivedAt: components["schemas"]["Instant"];
        };
        readonly RecordedIncident: {
            readonly seq: components["schemas"]["Count"];
            readonly id: string;
            readonly applicationId: string;
            readonly genre: components["schemas"]["IncidentGenre"];
            readonly subject: string;
            readonly startedAt: components["schemas"]["Instant"];
            readonly endedAt: components["schemas"]["InstantOrNull"];
            readonly updatedAt: components["schemas"]["Instant"];
            readonly payload: Record<string, unknown>;
        };
        readonly ReportedEvent: {
            readonly event_kind: string;
            readonly event_id?: string;
            readonly event_category?: string;
            readonly date_occurred?: string;
            readonly application_account_account_keys?: readonly Record<string, unknown>[];
            readonly ips?: readonly (string | Record<string, unknown>)[];
            readonly user_agent?: string;
            readonly humanized_description?: string;
            readonly risk?: number;
            readonly blocked?: boolean;
        };
        readonly LoginOutcome: {
            readonly account: string;
            readonly address: string;
            readonly success: boolean;
            readonly at?: string;
            readonly location?: Record<string, unknown>;
            readonly known?: boolean;
            readonly userAgent?: string;
        };
        readonly CounterSample: {
            readonly http4xx?: components["schemas"]["Count"];
            readonly http5xx?: components["schemas"]["Count"];
            readonly failedLogins?: components["schemas"]["Count"];
            readonly at?: string;
        };
        /** @description What was known about one identifier. */
        readonly RecordedEvidence: {
            /** @enum {string} */
            readonly state: "scored" | "skipped" | "failed";
            /** @description Keyed digest of the identifier, which the service cannot undo. */
            readonly digest?: string;
            readonly score?: number;
            /** @enum {string} */
            readonly source?: "live" | "cache" | "stale";
            readonly flags?: readonly string[];
            readonly country?: string;
            /** @enum {string} */
            readonly why?: "absent" | "not_public" | "unusable" | "override";
            /** @enum {string} */
            readonly fault?: "timeout" | "network" | "rate_limited" | "unauthorized" | "server" | "unreadable";
            readonly outcome?: components["schemas"]["Outcome"];
        };
        /** @enum {string} */
        readonly Outcome: "allow" | "flag" | "challenge" | "reject";
        /** @description One decision of a gate, without plain addresses. Members may be added at any time. */
        readonly DecisionRecord: {
            readonly id?: string;
            /** @constant */
            readonly v: 1;
            /** Format: date-time */
            readonly at: string;
            readonly route: string | null;
            readonly outcome: components["schemas"]["Outcome"];
            readonly enforced: boolean;
            /** @enum {string} */
            readonly because: "score" | "override" | "blocked" | "unavailable" | "nothing_to_score" | "challenge_passed" | "rule";
            /** @description The operator's rule that decided. */
            readonly rule?: string;
            readonly score: number | null;
            readonly ip: components["schemas"]["RecordedEvidence"];
            readonly email: components["schemas"]["RecordedEvidence"];
            readonly policy: {
                readonly flagAbove: number;
                readonly challengeAbove?: number;
                readonly rejectAbove: number;
                /** @constant */
                readonly own?: true;
            };
        };
        readonly RecordedDecision: {
            readonly id: string;
            readonly seq: components["schemas"]["Count"];
            readonly applicationId: string;
            readonly decidedAt: components["schemas"]["Instant"];
            readonly receivedAt: components["schemas"]["Instant"];
            readonly record: components["schemas"]["DecisionRecord"];
        };
        readonly Report: {
            readonly accepted: components["schemas"]["Count"];
            readonly duplicates: components["schemas"]["Count"];
            readonly refused: components["schemas"]["Count"];
            readonly elements: readonly components["schemas"]["ReportedElement"][];
            readonly events: readonly {
                readonly id: string;
                readonly kind: string;
            }[];
        };
        readonly ReportedElement: {
            /** @enum {string} */
            readonly state: "accepted" | "duplicate" | "refused";
            readonly id?: string;
            readonly reason?: string;
            /** @constant */
            readonly isUnknownKind?: true;
        };
        /** @description Either of the two. */
        readonly Subject: {
            readonly ip?: string;
            readonly account?: string;
        };
        readonly Erased: {
            readonly ledgerEntries: components["schemas"]["Count"];
            readonly events: components["schemas"]["Count"];
            readonly incidents: components["schemas"]["Count"];
            readonly responses: components["schemas"]["Count"];
            readonly deliveries: components["schemas"]["Count"];
            readonly pending: components["schemas"]["Count"];
        };
        readonly Threshold: number;
        readonly CountsByOutcome: {
            readonly allow: components["schemas"]["Count"];
            readonly flag: components["schemas"]["Count"];
            readonly challenge: components["schemas"]["Count"];
            readonly reject: components["schemas"]["Count"];
        };
        /** @description How many answers had each score from 0 to 100; a fraction counts for the next whole score. */
        readonly CountsByScore: readonly components["schemas"]["Count"][];
        readonly Rehearsal: {
            /** @description Those that were given. */
            readonly thresholds: {
                readonly flagAbove?: components["schemas"]["Threshold"];
                readonly challengeAbove?: components["schemas"]["Threshold"];
                readonly rejectAbove?: components["schemas"]["Threshold"];
            };
            readonly lookups: {
                readonly keptSince: components["schemas"]["Instant"];
                readonly lookups: components["schemas"]["Count"];
                readonly byDefault: components["schemas"]["CountsByOutcome"];
                readonly tried: components["schemas"]["CountsByOutcome"];
                readonly changed: components["schemas"]["Count"];
                readonly scores: {
                    readonly ips: components["schemas"]["CountsByScore"];
                    readonly emails: components["schemas"]["CountsByScore"];
                };
                /**
                 * @description The newest that change, newest first, out of the newest 200 of each application with a score
                 *     above 0. An erasure empties this list.
                 */
                readonly examples: readonly {
                    readonly applicationId: string;
                    /** @enum {string} */
                    readonly type: "ip" | "email";
                    readonly identifier: string;
                    readonly score: number;
                    readonly answeredAt: components["schemas"]["Instant"];
                    readonly from: components["schemas"]["Outcome"];
                    readonly to: components["schemas"]["Outcome"];
                }[];
            };
            readonly decisions: {
                readonly decisions: components["schemas"]["Count"];
                /** @description Whether there are older ones. */
                readonly isPartial: boolean;
                readonly oldestDecidedAt: components["schemas"]["InstantOrNull"];
                /** @description Decided by a policy of the application, and rehearsed by the thresholds. */
                readonly ownPolicy: number;
                readonly recorded: components["schemas"]["CountsByOutcome"];
                readonly tried: components["schemas"]["CountsByOutcome"];
                readonly changed: components["schemas"]["Count"];
                /** @description The newest that change, newest first. */
                readonly examples: readonly {
                    readonly id: string;
                    readonly applicationId: string;
                    readonly decidedAt: components["schemas"]["Instant"];
                    readonly route: string | null;
                    readonly score: number | null;
                    readonly signals: readonly string[];
                    readonly from: components["schemas"]["Outcome"];
                    readonly to: components["schemas"]["Outcome"];
                }[];
            };
        };
        readonly RuleProblem: {
            /** @description A JSON Pointer; empty for the whole. */
            readonly pointer: string;
            readonly reason: string;
            readonly line?: number;
            readonly column?: number;
        };
        readonly RulesDryRun: {
            readonly since: components["schemas"]["Instant"];
            readonly events: components["schemas"]["Count"];
            /** @description Whether there were more events. */
            readonly isPartial: boolean;
            readonly addresses: components["schemas"]["Count"];
            readonly emails: components["schemas"]["Count"];
            readonly changed: components["schemas"]["Count"];
            /** @description How many addresses and emails each rule holds for. */
            readonly rules: readonly {
                readonly name: string;
                readonly holds: components["schemas"]["Count"];
            }[];
            /** @description At most 100, those of the newest events first. */
            readonly examples: readonly {
                /** @enum {string} */
                readonly type: "ip" | "email";
                readonly identifier: string;
                readonly from: number;
                readonly to: number;
                readonly fromRule: string | null;
                readonly toRule: string | null;
            }[];
        };
        readonly OperatorRules: {
            /** @description Left out of consideration. */
            readonly $schema?: unknown;
            readonly rules: readonly components["schemas"]["OperatorRule"][];
        };
        /**
         * @description A rule as in the settings file of a gate (`rules.schema.json` of `@riskgate/core`), without
         *     conditions about a path. `allow` makes the score at most 40, `flag` 41 to 80, `reject` at
         *     least 81.
         */
        readonly OperatorRule: {
            readonly name: string;
            readonly when: components["schemas"]["RuleConditions"];
            /** @enum {string} */
            readonly outcome: "allow" | "flag" | "reject";
            readonly note?: string;
        };
        /** @description All of them must hold. */
        readonly RuleConditions: {
            /** @description Codes of ISO 3166-1, of two or three letters. */
            readonly country?: readonly string[];
            readonly countryUnknown?: boolean;
            readonly asn?: readonly number[];
            readonly asnUnknown?: boolean;
            readonly domain?: readonly string[];
            readonly domainAgeUnknown?: boolean;
            readonly flags?: {
                readonly all?: components["schemas"]["RuleFlags"];
                readonly any?: components["schemas"]["RuleFlags"];
                readonly none?: components["schemas"]["RuleFlags"];
            };
            readonly scoreAbove?: number;
            readonly scoreAtMost?: number;
            readonly not?: components["schemas"]["RuleConditions"];
        };
        readonly RuleFlags: readonly ("is_known_attacker" | "is_datacenter" | "is_vpn" | "is_proxy" | "is_private" | "is_tor" | "is_disposable" | "is_email_malformed" | "is_email_harmful" | "is_undeliverable")[];
        readonly IpExplanation: {
            readonly assessment: components["schemas"]["IpAssessment"];
            readonly score: components["schemas"]["RiskScore"];
            /** @description What speaks against it; `adds` of all together is the score. */
            readonly signals: readonly components["schemas"]["Signal"][];
            readonly feeds: readonly components["schemas"]["AskedFeed"][];
            readonly ledger: components["schemas"]["LedgerExplanation"];
            readonly rules: readonly components["schemas"]["AppliedRule"][];
            /** @description Data from the operator's geo databases; null if unknown. */
            readonly geo: {
                /** @description ISO 3166 alpha-3. */
                readonly country: string | null;
                /** @description The autonomous system that announces the address. */
                readonly asn: {
                    readonly number: number;
                    readonly organisation?: string;
                } | null;
            };
        };
        readonly EmailExplanation: {
            readonly assessment: components["schemas"]["EmailAssessment"];
            readonly score: components["schemas"]["RiskScore"];
            /** @description What speaks against it; `adds` of all together is the score. */
            readonly signals: readonly components["schemas"]["Signal"][];
            readonly feeds: readonly components["schemas"]["AskedFeed"][];
            readonly ledger: components["schemas"]["LedgerExplanation"];
            readonly rules: readonly components["schemas"]["AppliedRule"][];
        };
        readonly Signal: {
            readonly name: string;
            readonly weight: number;
            /** @description 0 where a stronger signal of its kind counts instead. */
            readonly adds: number;
            /** @description Names of feeds, the ledger, or a rule of the engine. */
            readonly source: string;
            readonly detail?: string;
            readonly loadedAtMs?: number;
            readonly lastEventAtMs?: number;
        };
        readonly AskedFeed: {
            readonly name: string;
            /** @enum {string} */
            readonly kind: "tor" | "vpn" | "proxy" | "datacenter" | "attacker" | "disposable";
            /** @description Whether it marks the identifier. */
            readonly listed: boolean;
            readonly size: components["schemas"]["Count"];
            readonly loadedAtMs: number;
            readonly updatedAtMs?: number;
            readonly ageMs?: number;
            readonly licence?: string;
        };
        readonly LedgerExplanation: {
            readonly events: components["schemas"]["Count"];
            readonly highRisk: components["schemas"]["Count"];
            readonly isKnownAttacker: boolean;
            readonly lastEventAt: components["schemas"]["Timestamp"] | null;
            /** @description The newest 20. */
            readonly entries: readonly {
                readonly applicationId: string;
                readonly eventId: string;
                /** @description Null if the event is no longer stored. */
                readonly kind: string | null;
                readonly occurredAt: components["schemas"]["Timestamp"];
                readonly highRisk: boolean;
            }[];
        };
        /** @description The rule of the operator that set the score. */
        readonly AppliedRule: {
            readonly name: string;
            /** @enum {string} */
            readonly outcome: "allow" | "flag" | "reject";
            readonly note?: string;
            /** @description What it adds to the score; negative to lower it. */
            readonly adds: number;
        };
        readonly Feed: {
            readonly name: string;
            /** @enum {string} */
            readonly kind: "tor" | "vpn" | "proxy" | "datacenter" | "attacker" | "disposable";
            readonly size: components["schemas"]["Count"];
            readonly skipped: components["schemas"]["Count"];
            readonly firstSkippedLine?: components["schemas"]["Count"];
            readonly loadedAtMs: number;
            readonly updatedAtMs?: number;
            readonly ageMs?: number;
            readonly path?: string;
            readonly source?: string;
            readonly licence?: string;
        };
        readonly Status: {
            readonly status: string;
        };
        readonly Payload: components["schemas"]["SecurityEvent"] | components["schemas"]["Incident"] | components["schemas"]["SecurityResponse"] | components["schemas"]["TestPayload"];
        readonly Timestamp: string;
        readonly EventIp: {
            readonly address: string;
            readonly date_resolved?: components["schemas"]["Timestamp"];
            readonly geo?: {
                readonly city?: string | null;
                /** @description ISO 3166 alpha-3 country code. */
                readonly code?: string;
                /** @description Longitude, then latitude. */
                readonly point?: readonly number[];
            };
            readonly is_tor?: boolean;
        };
        /** @description A security event. Members may be added at any time. */
        readonly SecurityEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly service_payload_type: "security_event";
            readonly application_account_account_keys?: readonly {
                readonly name: string;
                readonly value: string;
            }[];
            readonly application_id?: string;
            readonly application_name?: string;
            readonly environment?: string;
            readonly date_occurred: components["schemas"]["Timestamp"];
            /**
             * @example authentication
             * @example injection
             * @example http_error
             * @example package
             */
            readonly event_category: string;
            readonly event_id: string;
            /**
             * @example auth_bruteforce
             * @example sql_injection
             */
            readonly event_kind: string;
            readonly event_url?: string;
            readonly humanized_description?: string;
            /** @description The same as event_id. */
            readonly id?: string;
            /** @description The same as event_url. */
            readonly url?: string;
            readonly risk?: number;
            readonly ips: readonly components["schemas"]["EventIp"][];
        };
        /** @description An incident; delivered again, with the same id, whenever it changes. */
        readonly Incident: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly service_payload_type: "pulse";
            readonly id: string;
            /**
             * @example account_takeover
             * @example injection_sql
             */
            readonly pulse_genre: string;
            readonly pulse_category?: string;
            readonly date_started: components["schemas"]["Timestamp"];
            /** @description Null or missing while the incident continues. */
            readonly date_ended?: components["schemas"]["Timestamp"] | null;
            readonly humanized_title?: string;
            readonly humanized_accounts?: string;
            readonly humanized_geos?: string;
            readonly blocked?: boolean;
            readonly application_id?: string;
            readonly application_name?: string;
            readonly environment?: string;
            readonly url?: string;
            readonly incidents_count?: components["schemas"]["Count"];
            readonly user_agents_count?: components["schemas"]["Count"];
            readonly ip_addresses_count?: components["schemas"]["Count"];
            readonly accounts_count?: components["schemas"]["Count"];
        };
        /** @description What a playbook asks for. */
        readonly SecurityResponse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly service_payload_type: "security_response";
            readonly id?: string;
            readonly date_created?: components["schemas"]["Timestamp"];
            readonly application?: {
                readonly id?: string;
                readonly name?: string;
                readonly environment?: string;
            };
            readonly properties: {
                readonly ips: readonly {
                    readonly ip_cidr: string;
                }[];
                readonly user_identifiers: readonly Record<string, unknown>[];
            };
            readonly playbook?: {
                readonly id?: string;
                readonly name?: string;
            };
        };
        /** @description Sent on demand. */
        readonly TestPayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly service_payload_type: "test";
            readonly application_id?: string;
            readonly application_name?: string;
            readonly environment?: string;
            readonly id?: string;
            readonly event_category?: string;
            readonly event_kind?: string;
            readonly risk?: number;
            readonly date_occurred?: components["schemas"]["Timestamp"];
            readonly humanized_description?: string;
            readonly url?: string;
            readonly ips?: readonly components["schemas"]["EventIp"][];
        };
    };
    responses: {
        /** @description The identifier, or the path, is not valid. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 400,
                 *       "details": "Invalid IP",
                 *       "errno": 400,
                 *       "error": "Invalid request",
                 *       "info": "",
                 *       "message": "Validation error occured while trying to parse an ip"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key or token is missing or not valid. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not allowed from this address. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist; for example, the path has a further segment. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        readonly TooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON. */
        readonly UnsupportedType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Many wrong keys or tokens came from this address, and this one is wrong as well. */
        readonly TooManyWrong: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The sandbox application has used up its lookups, or many wrong keys came from this address and
         *     this one is wrong as well.
         */
        readonly RateLimited: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot answer at the moment. */
        readonly Unavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
        readonly Id: string;
        /** @example 0d9c4e */
        readonly KeyId: string;
        /**
         * @description An IPv4 or IPv6 address. `:` need not be escaped.
         * @example 198.51.100.7
         */
        readonly Ip: string;
        /**
         * @description The address, as one path segment that is decoded once, as in lookups.
         * @example somebody@shop.example
         */
        readonly Email: string;
        /** @example 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff */
        readonly Nonce: string;
        readonly Limit: number;
        readonly ApplicationId: string;
        readonly DeliveryState: components["schemas"]["DeliveryState"];
        /** @description The seq of the last one of the page before. */
        readonly BeforeSeq: number;
        readonly Genre: components["schemas"]["IncidentGenre"];
        /** @description Only events of this address. */
        readonly SubjectIp: string;
        /** @description Only events of this account. */
        readonly SubjectAccount: string;
        readonly EventKind: string;
        readonly Open: "true" | "false";
    };
    requestBodies: never;
    headers: {
        /** @description Always `no-store`; an assessment is about a person. */
        readonly NoStore: "no-store";
        /** @description Whole seconds to wait. */
        readonly RetryAfter: number;
    };
    pathItems: never;
}
export type EmailAssessment = components['schemas']['EmailAssessment'];
export type IpAssessment = components['schemas']['IpAssessment'];
export type RiskScore = components['schemas']['RiskScore'];
export type Count = components['schemas']['Count'];
export type Geo = components['schemas']['Geo'];
export type Error = components['schemas']['Error'];
export type Instant = components['schemas']['Instant'];
export type InstantOrNull = components['schemas']['InstantOrNull'];
export type EventKind = components['schemas']['EventKind'];
export type IncidentGenre = components['schemas']['IncidentGenre'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type ApplicationSettings = components['schemas']['ApplicationSettings'];
export type NewApplication = components['schemas']['NewApplication'];
export type Application = components['schemas']['Application'];
export type NewKey = components['schemas']['NewKey'];
export type ApiKey = components['schemas']['ApiKey'];
export type SigningSecret = components['schemas']['SigningSecret'];
export type Rotation = components['schemas']['Rotation'];
export type PlaybookRule = components['schemas']['PlaybookRule'];
export type PlaybookSettings = components['schemas']['PlaybookSettings'];
export type NewPlaybook = components['schemas']['NewPlaybook'];
export type Playbook = components['schemas']['Playbook'];
export type RecordedResponse = components['schemas']['RecordedResponse'];
export type Delivery = components['schemas']['Delivery'];
export type Attempt = components['schemas']['Attempt'];
export type Overview = components['schemas']['Overview'];
export type LookupStep = components['schemas']['LookupStep'];
export type Attention = components['schemas']['Attention'];
export type DryRunDays = components['schemas']['DryRunDays'];
export type NewDryRun = components['schemas']['NewDryRun'];
export type DryRun = components['schemas']['DryRun'];
export type DeliveryRequest = components['schemas']['DeliveryRequest'];
export type SignatureCheck = components['schemas']['SignatureCheck'];
export type Occurrence = components['schemas']['Occurrence'];
export type IncidentHistory = components['schemas']['IncidentHistory'];
export type EventHistory = components['schemas']['EventHistory'];
export type FeedOutcome = components['schemas']['FeedOutcome'];
export type SignIn = components['schemas']['SignIn'];
export type RecordedEvent = components['schemas']['RecordedEvent'];
export type RecordedIncident = components['schemas']['RecordedIncident'];
export type ReportedEvent = components['schemas']['ReportedEvent'];
export type LoginOutcome = components['schemas']['LoginOutcome'];
export type CounterSample = components['schemas']['CounterSample'];
export type RecordedEvidence = components['schemas']['RecordedEvidence'];
export type Outcome = components['schemas']['Outcome'];
export type DecisionRecord = components['schemas']['DecisionRecord'];
export type RecordedDecision = components['schemas']['RecordedDecision'];
export type Report = components['schemas']['Report'];
export type ReportedElement = components['schemas']['ReportedElement'];
export type Subject = components['schemas']['Subject'];
export type Erased = components['schemas']['Erased'];
export type Threshold = components['schemas']['Threshold'];
export type CountsByOutcome = components['schemas']['CountsByOutcome'];
export type CountsByScore = components['schemas']['CountsByScore'];
export type Rehearsal = components['schemas']['Rehearsal'];
export type RuleProblem = components['schemas']['RuleProblem'];
export type RulesDryRun = components['schemas']['RulesDryRun'];
export type OperatorRules = components['schemas']['OperatorRules'];
export type OperatorRule = components['schemas']['OperatorRule'];
export type RuleConditions = components['schemas']['RuleConditions'];
export type RuleFlags = components['schemas']['RuleFlags'];
export type IpExplanation = components['schemas']['IpExplanation'];
export type EmailExplanation = components['schemas']['EmailExplanation'];
export type Signal = components['schemas']['Signal'];
export type AskedFeed = components['schemas']['AskedFeed'];
export type LedgerExplanation = components['schemas']['LedgerExplanation'];
export type AppliedRule = components['schemas']['AppliedRule'];
export type Feed = components['schemas']['Feed'];
export type Status = components['schemas']['Status'];
export type Payload = components['schemas']['Payload'];
export type Timestamp = components['schemas']['Timestamp'];
export type EventIp = components['schemas']['EventIp'];
export type SecurityEvent = components['schemas']['SecurityEvent'];
export type Incident = components['schemas']['Incident'];
export type SecurityResponse = components['schemas']['SecurityResponse'];
export type TestPayload = components['schemas']['TestPayload'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedType = components['responses']['UnsupportedType'];
export type ResponseTooManyWrong = components['responses']['TooManyWrong'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ParameterId = components['parameters']['Id'];
export type ParameterKeyId = components['parameters']['KeyId'];
export type ParameterIp = components['parameters']['Ip'];
export type ParameterEmail = components['parameters']['Email'];
export type ParameterNonce = components['parameters']['Nonce'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterApplicationId = components['parameters']['ApplicationId'];
export type ParameterDeliveryState = components['parameters']['DeliveryState'];
export type ParameterBeforeSeq = components['parameters']['BeforeSeq'];
export type ParameterGenre = components['parameters']['Genre'];
export type ParameterSubjectIp = components['parameters']['SubjectIp'];
export type ParameterSubjectAccount = components['parameters']['SubjectAccount'];
export type ParameterEventKind = components['parameters']['EventKind'];
export type ParameterOpen = components['parameters']['Open'];
export type HeaderNoStore = components['headers']['NoStore'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    readonly lookupEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The address, as one path segment that is decoded once. `@` and `+` need not be escaped;
                 *     `/`, `?` and `%` must be escaped. At most 320 bytes.
                 * @example somebody@shop.example
                 */
                readonly email: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The assessment. */
            readonly 200: {
                headers: {
                    readonly "Cache-Control": components["headers"]["NoStore"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmailAssessment"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly lookupIp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description An IPv4 or IPv6 address. `:` need not be escaped.
                 * @example 198.51.100.7
                 */
                readonly ip: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The assessment. */
            readonly 200: {
                headers: {
                    readonly "Cache-Control": components["headers"]["NoStore"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpAssessment"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["ReportedEvent"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportLogins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["LoginOutcome"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportCounters: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CounterSample"] | readonly components["schemas"]["CounterSample"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportDecisions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["DecisionRecord"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It does. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Status"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
        };
    };
    readonly readiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It does. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Status"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Counters in the text format of Prometheus. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly openapi: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description This document. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, unknown>;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
        };
    };
    readonly listApplications: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly applications: readonly components["schemas"]["Application"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewApplication"];
            };
        };
        readonly responses: {
            /** @description Key and secret are shown here and never again. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly application: components["schemas"]["Application"];
                        readonly key: string;
                        readonly secret: string;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The application. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly application: components["schemas"]["Application"];
                        readonly keys: readonly components["schemas"]["ApiKey"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deleteApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApplicationSettings"];
            };
        };
        readonly responses: {
            /** @description As it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly application: components["schemas"]["Application"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly disableApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly application: components["schemas"]["Application"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly enableApplication: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly application: components["schemas"]["Application"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly sendTestPayload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is queued; the id is that of the payload. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: string;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Without the keys themselves. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly keys: readonly components["schemas"]["ApiKey"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly addKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewKey"];
            };
        };
        readonly responses: {
            /** @description The key is shown here and never again. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly key: string;
                        readonly record: components["schemas"]["ApiKey"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
                /** @example 0d9c4e */
                readonly keyId: components["parameters"]["KeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is revoked. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly revoked: true;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listSecrets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first, without the secrets themselves. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly secrets: readonly components["schemas"]["SigningSecret"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly rotateSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["Rotation"];
            };
        };
        readonly responses: {
            /** @description The secret is shown here and never again. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly secret: string;
                        readonly signsFrom: components["schemas"]["InstantOrNull"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly finishRotation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether there was an overlap. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly finished: boolean;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPlaybooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playbooks: readonly components["schemas"]["Playbook"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createPlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPlaybook"];
            };
        };
        readonly responses: {
            /** @description With its defaults. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playbook: components["schemas"]["Playbook"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showPlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The playbook. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playbook: components["schemas"]["Playbook"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deletePlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly deleted: true;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updatePlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaybookSettings"];
            };
        };
        readonly responses: {
            /** @description As it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playbook: components["schemas"]["Playbook"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listResponses: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly responses: readonly components["schemas"]["RecordedResponse"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listDecisions: {
        readonly parameters: {
            readonly query?: {
                readonly applicationId?: components["parameters"]["ApplicationId"];
                /** @description The seq of the last one of the page before. */
                readonly beforeSeq?: components["parameters"]["BeforeSeq"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly decisions: readonly components["schemas"]["RecordedDecision"][];
                        /** @description The `beforeSeq` of the next page; null on the last one. */
                        readonly nextBeforeSeq: number | null;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                readonly applicationId?: components["parameters"]["ApplicationId"];
                readonly state?: components["parameters"]["DeliveryState"];
                /** @description The seq of the last one of the page before. */
                readonly beforeSeq?: components["parameters"]["BeforeSeq"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly deliveries: readonly components["schemas"]["Delivery"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The delivery. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly delivery: components["schemas"]["Delivery"];
                        readonly attempts: readonly components["schemas"]["Attempt"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly retryDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly delivery: components["schemas"]["Delivery"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                readonly kind?: components["parameters"]["EventKind"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly events: readonly components["schemas"]["RecordedEvent"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportEventsOf: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["ReportedEvent"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportLoginsOf: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["LoginOutcome"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportCountersOf: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CounterSample"] | readonly components["schemas"]["CounterSample"][];
            };
        };
        readonly responses: {
            /** @description What became of each. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listIncidents: {
        readonly parameters: {
            readonly query?: {
                readonly open?: components["parameters"]["Open"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly incidents: readonly components["schemas"]["RecordedIncident"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showOverview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description At this moment. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Overview"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly rehearse: {
        readonly parameters: {
            readonly query?: {
                readonly applicationId?: components["parameters"]["ApplicationId"];
                readonly flagAbove?: components["schemas"]["Threshold"];
                readonly challengeAbove?: components["schemas"]["Threshold"];
                readonly rejectAbove?: components["schemas"]["Threshold"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What would change. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Rehearsal"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listAllPlaybooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playbooks: readonly components["schemas"]["Playbook"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly dryRunNewPlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDryRun"];
            };
        };
        readonly responses: {
            /** @description What it would have done; nothing was stored or sent. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DryRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly dryRunPlaybook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DryRunDays"];
            };
        };
        readonly responses: {
            /** @description What it would have done; nothing was stored or sent. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DryRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showDeliveryRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description With the signature of the secret that signs at this moment. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryRequest"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifySignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignatureCheck"];
            };
        };
        readonly responses: {
            /** @description Whether one of its secrets made it. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly valid: boolean;
                        readonly secretId: string | null;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listAllIncidents: {
        readonly parameters: {
            readonly query?: {
                readonly applicationId?: components["parameters"]["ApplicationId"];
                readonly genre?: components["parameters"]["Genre"];
                readonly open?: components["parameters"]["Open"];
                /** @description The seq of the last one of the page before. */
                readonly beforeSeq?: components["parameters"]["BeforeSeq"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly incidents: readonly components["schemas"]["RecordedIncident"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showIncident: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The incident. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IncidentHistory"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listAllEvents: {
        readonly parameters: {
            readonly query?: {
                readonly applicationId?: components["parameters"]["ApplicationId"];
                readonly kind?: components["parameters"]["EventKind"];
                /** @description Only events of this address. */
                readonly ip?: components["parameters"]["SubjectIp"];
                /** @description Only events of this account. */
                readonly account?: components["parameters"]["SubjectAccount"];
                /** @description The seq of the last one of the page before. */
                readonly beforeSeq?: components["parameters"]["BeforeSeq"];
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Newest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly events: readonly components["schemas"]["RecordedEvent"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly showEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 5f1e7c0a9b3d2e4f6a8b0c1d */
                readonly id: components["parameters"]["Id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One of each application at most. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly events: readonly components["schemas"]["EventHistory"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateFeeds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What became of each, and the feeds as they are now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly outcomes: readonly components["schemas"]["FeedOutcome"][];
                        readonly feeds: readonly components["schemas"]["Feed"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly erase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Subject"];
            };
        };
        readonly responses: {
            /** @description How much was erased. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly erased: components["schemas"]["Erased"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description In their order; the first that holds sets the score. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly rules: readonly components["schemas"]["OperatorRule"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly replaceRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OperatorRules"];
            };
        };
        readonly responses: {
            /** @description The rules are in use. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly count: number;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly checkRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            /** @description What is wrong with it; at most 100 problems. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Rules that were read; 0 if there is a problem. */
                        readonly count: number;
                        readonly problems: readonly components["schemas"]["RuleProblem"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly dryRunRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly rules: readonly components["schemas"]["OperatorRule"][];
                    /** @default 7 */
                    readonly days?: number;
                };
            };
        };
        readonly responses: {
            /** @description What would change. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RulesDryRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listFeeds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description In their order. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly feeds: readonly components["schemas"]["Feed"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reloadFeeds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As they are now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly feeds: readonly components["schemas"]["Feed"][];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly explainIp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description An IPv4 or IPv6 address. `:` need not be escaped.
                 * @example 198.51.100.7
                 */
                readonly ip: components["parameters"]["Ip"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The explanation. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpExplanation"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly explainEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The address, as one path segment that is decoded once, as in lookups.
                 * @example somebody@shop.example
                 */
                readonly email: components["parameters"]["Email"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The explanation. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmailExplanation"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyWrong"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly prove: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff */
                readonly nonce: components["parameters"]["Nonce"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The proof. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly proof: string;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignIn"];
            };
        };
        readonly responses: {
            /** @description The session. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly csrfToken: string;
                        readonly lifetimeMs: components["schemas"]["Count"];
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedType"];
            readonly 429: components["responses"]["TooManyWrong"];
        };
    };
    readonly signOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It has ended. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly signedOut: boolean;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyWrong"];
        };
    };
    readonly deliver: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description HMAC-SHA-256 over the exact body, keyed with the signing secret, in lowercase hex. */
                readonly "X-Service-Integrity": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["Payload"][];
            };
        };
        readonly responses: {
            /** @description Received; the body is not interpreted. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The delivery is tried again. */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
