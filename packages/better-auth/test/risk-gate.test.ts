import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { emailOTP, genericOAuth, magicLink } from "better-auth/plugins";
import type { Library } from "./support/auth-app.js";
import { describePlugin } from "./support/describe-plugin.js";

const library = {
  betterAuth,
  getMigrations,
  toNodeHandler,
  plugins: { emailOTP, genericOAuth, magicLink },
} as unknown as Library;

describePlugin("the current version", library, "Express");
describePlugin("the current version", library, "Hono");
