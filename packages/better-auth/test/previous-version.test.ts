import { betterAuth } from "better-auth-1.6";
import { getMigrations } from "better-auth-1.6/db/migration";
import { toNodeHandler } from "better-auth-1.6/node";
import { emailOTP, genericOAuth, magicLink } from "better-auth-1.6/plugins";
import { vi } from "vitest";
import type { Library } from "./support/auth-app.js";
import { describePlugin } from "./support/describe-plugin.js";

// An application has one version, which the plugin also imports.
vi.mock("better-auth/api", () => import("better-auth-1.6/api"));

const library = {
  betterAuth,
  getMigrations,
  toNodeHandler,
  plugins: { emailOTP, genericOAuth, magicLink },
} as unknown as Library;

describePlugin("version 1.6", library, "Express");
describePlugin("version 1.6", library, "Hono");
