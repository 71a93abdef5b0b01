import { isRawObject, type RawObject } from "../model/raw-object.js";
import { isEventCategory, isEventKind } from "../model/vocabulary.js";

/**
 * Returns true if a security event needs no repair, as nearly all do. Written out because the loop
 * over the member table takes twice as long; false only means that the table decides.
 */
export function isCleanEvent(event: RawObject): boolean {
  const { risk, user_agent: userAgent, ips, application_account_account_keys: keys } = event;
  return (
    event.service_payload_type === "security_event" &&
    typeof event.application_id === "string" &&
    typeof event.application_name === "string" &&
    typeof event.environment === "string" &&
    isEventKind(event.event_kind) &&
    isEventCategory(event.event_category) &&
    typeof event.humanized_description === "string" &&
    typeof event.event_id === "string" &&
    typeof event.event_url === "string" &&
    typeof event.date_occurred === "string" &&
    (userAgent === undefined || typeof userAgent === "string") &&
    (Number.isFinite(risk) || (risk === undefined && event.risk_coefficient === undefined)) &&
    Array.isArray(ips) &&
    ips.every(isCleanIp) &&
    Array.isArray(keys) &&
    keys.every(isAccountKey)
  );
}

function isCleanIp(ip: unknown): boolean {
  if (!isRawObject(ip) || !isRawObject(ip.geo)) return false;
  const { date_resolved: resolved, is_tor: isTor } = ip;
  const { city, code, point } = ip.geo;
  return (
    typeof ip.address === "string" &&
    (resolved === undefined || typeof resolved === "string") &&
    (isTor === undefined || typeof isTor === "boolean") &&
    (city === undefined || typeof city === "string") &&
    (code === undefined || typeof code === "string") &&
    (point === undefined || isPoint(point)) &&
    ip.country_code === undefined &&
    ip.city === undefined &&
    ip.geo_longitude === undefined
  );
}

export function isAccountKey(given: unknown): boolean {
  return isRawObject(given) && typeof given.name === "string" && typeof given.value === "string";
}

export function isPoint(given: unknown): boolean {
  if (!Array.isArray(given) || given.length !== 2) return false;
  const [longitude, latitude] = given as readonly unknown[];
  return (
    typeof longitude === "number" &&
    typeof latitude === "number" &&
    Math.abs(longitude) <= 180 &&
    Math.abs(latitude) <= 90
  );
}
