import { RiskGateError } from "@riskgate/core";
import type { HttpAdapterHost } from "@nestjs/core";
import { expressPlatform } from "./express-platform.js";
import { fastifyPlatform } from "./fastify-platform.js";
import type { Platform } from "./platform.js";

const PLATFORMS = new Map([
  ["express", expressPlatform],
  ["fastify", fastifyPlatform],
]);

/**
 * The framework that an application runs on.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any other than Express and Fastify.
 */
export function platformOf({ httpAdapter }: HttpAdapterHost): Platform {
  const type = httpAdapter.getType();
  const platform = PLATFORMS.get(type);
  if (platform) return platform;
  const message = `the HTTP adapter must be that of Express or Fastify, given ${type}`;
  throw new RiskGateError("CONFIG_INVALID", message);
}
