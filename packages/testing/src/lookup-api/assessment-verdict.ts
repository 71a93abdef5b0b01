import { normalizeIp } from "@riskgate/core/address";
import { allOf, IS_OBJECT, objectOf, status, type Verdict } from "./verdict.js";

/** Requirement for a member: a description and a test. */
type Form = readonly [words: string, fits: (value: unknown) => boolean];

const TEXT: Form = ["a string", (value) => typeof value === "string"];
const FLAG: Form = ["true or false", (value) => typeof value === "boolean"];
const COUNT: Form = [
  "a whole number from 0",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
];
const SCORE: Form = ["a number from 0 to 100", (value) => isNumber(value, 0, 100)];

/** Members of an email assessment. Source: specification, Email assessment. */
const EMAIL_FORMS: Readonly<Record<string, Form>> = {
  email: TEXT,
  risk_score: SCORE,
  is_known_attacker: FLAG,
  security_events_count: COUNT,
  high_risk_security_events_count: COUNT,
  is_disposable: FLAG,
  is_email_malformed: FLAG,
  is_email_harmful: FLAG,
};

/** Members of an IP assessment. Source: specification, IP assessment. */
const IP_FORMS: Readonly<Record<string, Form>> = {
  ip: TEXT,
  ip_version: ["4 or 6", (value) => value === 4 || value === 6],
  risk_score: SCORE,
  is_known_attacker: FLAG,
  security_events_count: COUNT,
  high_risk_security_events_count: COUNT,
  ip_geo: ["an object with latitude, longitude, country_code and city if known", isGeo],
  is_datacenter: FLAG,
  is_vpn: FLAG,
  is_proxy: FLAG,
  is_private: FLAG,
  is_tor: FLAG,
};

export const MEMBERS: Readonly<Record<"email" | "ip", readonly string[]>> = {
  email: Object.keys(EMAIL_FORMS),
  ip: Object.keys(IP_FORMS),
};

/** Requires a score; other members are free. */
export const SCORED: Verdict = assessment({ risk_score: SCORE }, {});

/** Requires an assessment of an email address, which it repeats unchanged. */
export function emailAssessment(email: string): Verdict {
  return assessment(EMAIL_FORMS, { email: [`"${email}"`, (value) => value === email] });
}

/** Requires an assessment of an IP address, which it repeats in any spelling. */
export function ipAssessment(ip: string): Verdict {
  const address = normalizeIp(ip);
  const version = address?.includes(":") ? 6 : 4;
  return assessment(IP_FORMS, {
    ip: [`${ip} in any spelling`, (value) => normalizeIp(String(value)) === address],
    ip_version: [String(version), (value) => value === version],
  });
}

function assessment(
  forms: Readonly<Record<string, Form>>,
  own: Readonly<Record<string, Form>>,
): Verdict {
  const rows = [...Object.entries(forms), ...Object.entries(own)];
  return allOf(status(200), IS_OBJECT, (answer) => {
    const body = objectOf(answer) ?? {};
    const wrong = rows.find(([name, [, fits]]) => !fits(body[name]));
    if (!wrong) return undefined;
    const [name, [words]] = wrong;
    return { expected: `${name}: ${words}`, received: `${name}: ${shown(body[name])}` };
  });
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 120);
}

function isNumber(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max;
}

function isGeo(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { latitude, longitude, country_code: code, city } = value as Record<string, unknown>;
  return (
    (latitude === undefined || isNumber(latitude, -90, 90)) &&
    (longitude === undefined || isNumber(longitude, -180, 180)) &&
    (code === undefined || (typeof code === "string" && /^[A-Z]{3}$/.test(code))) &&
    (city === undefined || city === null || typeof city === "string")
  );
}
