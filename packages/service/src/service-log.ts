import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import type { RequestRecord } from "./http/request-record.js";

/** A logger in the style of pino, whose methods accept an object with fields, then a message. */
export interface ServiceLogger {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}

/** Logs a request, as an error if the service failed and otherwise as information. */
export function logRequest(logger: ServiceLogger, request: RequestRecord): void {
  if (request.status !== undefined && request.status >= 500) logger.error(request, "request");
  else logger.info(request, "request");
}

export function logNotice(logger: ServiceLogger, notice: DispatchNotice): void {
  const { type, ...members } = notice;
  switch (notice.type) {
    case "attempt":
      if (notice.state === "delivered") logger.info(members, "delivery attempt");
      else logger.warn(members, "delivery attempt");
      return;
    case "stalled":
      logger.error({ err: notice.error }, "deliveries are paused");
      return;
    case "retried":
      logger.info(members, "deliveries retried");
      return;
    default:
      logger.warn(members, `delivery ${type}`);
  }
}
