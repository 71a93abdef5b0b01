import { RiskGateError } from "@riskgate/core";
import type { ExecutionContext } from "@nestjs/common";
import type { HttpAdapterHost } from "@nestjs/core";
import { expressPlatform } from "./express-platform.js";
import { fastifyPlatform } from "./fastify-platform.js";
import type { Platform } from "./platform.js";

const PLATFORMS = new Map([
  ["express", expressPlatform],
  ["fastify", fastifyPlatform],
]);

/**
 * Returns the framework that an application runs on.
 *
 * @param context The context to guard, if known.
 * @throws {RiskGateError} CONFIG_INVALID for any framework other than Express and Fastify, and for
 * a context outside HTTP routes.
 */
export function platformOf({ httpAdapter }: HttpAdapterHost, context?: ExecutionContext): Platform {
  const type = httpAdapter.getType();
  const platform = PLATFORMS.get(type);
  if (!platform) {
    const message = `the HTTP adapter must be for Express or Fastify, given ${type}`;
    throw new RiskGateError("CONFIG_INVALID", message);
  }
  const kind = context?.getType() ?? "http";
  if (kind === "http") return platform;
  const message = `only HTTP routes can be guarded, given a handler for ${kind}`;
  throw new RiskGateError("CONFIG_INVALID", message);
}
