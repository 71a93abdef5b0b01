import { RiskGateError } from "@riskgate/core";
import { fastifyTemplate } from "./fastify.js";
import { honoTemplate } from "./hono.js";
import { lambdaTemplate } from "./lambda.js";
import { expressTemplate, koaTemplate } from "./middleware.js";
import { nestTemplate } from "./nest.js";
import { nextTemplate } from "./next.js";
import type { Project } from "./project.js";
import { LAYERS, type Template } from "./template.js";
import { webTemplate } from "./web.js";

export type Framework = "express" | "fastify" | "koa" | "hono" | "nest" | "next" | "web" | "lambda";

/** To add one, write its file in this folder and add its name here and above. */
export const TEMPLATES: Readonly<Record<Framework, Template>> = {
  express: expressTemplate,
  fastify: fastifyTemplate,
  koa: koaTemplate,
  hono: honoTemplate,
  nest: nestTemplate,
  next: nextTemplate,
  web: webTemplate,
  lambda: lambdaTemplate,
};

export const FRAMEWORKS = Object.keys(TEMPLATES) as readonly Framework[];

/** Returns the possible frameworks of a project: only one if its packages are unambiguous. */
export function detectFrameworks({ dependencies }: Project): readonly Framework[] {
  const used = FRAMEWORKS.filter((name) =>
    TEMPLATES[name].usedWith.some((one) => dependencies.has(one)),
  );
  const layers = LAYERS.map((layer) =>
    used.filter((name) => (TEMPLATES[name].layer ?? "server") === layer),
  );
  return layers.find((names) => names.length > 0) ?? [];
}

/** Finds a framework by its name. @throws {RiskGateError} CONFIG_INVALID */
export function readFramework(name: string): Framework {
  const framework = FRAMEWORKS.find((one) => one === name);
  if (framework !== undefined) return framework;
  throw new RiskGateError("CONFIG_INVALID", `expected a framework, given ${JSON.stringify(name)}`, {
    hint: `Name one of ${FRAMEWORKS.join(", ")}, with --framework or as the answer`,
  });
}
