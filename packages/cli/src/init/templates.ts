import { RiskGateError } from "@riskgate/core";
import { expressTemplate } from "./express.js";
import { fastifyTemplate } from "./fastify.js";
import { honoTemplate } from "./hono.js";
import { koaTemplate } from "./koa.js";
import { lambdaTemplate } from "./lambda.js";
import type { Project } from "./project.js";
import type { Template } from "./template.js";
import { webTemplate } from "./web.js";

/** Every framework that has a template. */
export type Framework = "express" | "fastify" | "koa" | "hono" | "web" | "lambda";

/** Add one with a file beside this one, and its name here and above. */
export const TEMPLATES: Readonly<Record<Framework, Template>> = {
  express: expressTemplate,
  fastify: fastifyTemplate,
  koa: koaTemplate,
  hono: honoTemplate,
  web: webTemplate,
  lambda: lambdaTemplate,
};

export const FRAMEWORKS = Object.keys(TEMPLATES) as readonly Framework[];

/**
 * The framework that a project uses.
 *
 * @returns Undefined where there is none of ours, or more than one.
 */
export function detectFramework({ dependencies }: Project): Framework | undefined {
  const used = FRAMEWORKS.filter((name) =>
    TEMPLATES[name].usedWith.some((one) => dependencies.has(one)),
  );
  const isPlatform = (name: Framework): boolean => TEMPLATES[name].isPlatform === true;
  const frameworks = used.filter((name) => !isPlatform(name));
  const found = frameworks.length > 0 ? frameworks : used;
  return found.length === 1 ? found[0] : undefined;
}

/**
 * A framework by its name.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readFramework(name: string): Framework {
  const framework = FRAMEWORKS.find((one) => one === name);
  if (framework !== undefined) return framework;
  throw new RiskGateError("CONFIG_INVALID", `expected a framework, given ${JSON.stringify(name)}`, {
    hint: `Name one of ${FRAMEWORKS.join(", ")}, with --framework or as the answer`,
  });
}
