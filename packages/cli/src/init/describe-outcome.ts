import { printable } from "../terminal/printable.js";
import type { Output } from "../terminal/terminal.js";
import type { Integration } from "./integration.js";
import type { EnvChange } from "./env-text.js";

/** Result of `init`, besides the findings about the service. */
export interface Outcome {
  readonly integration: Integration;
  readonly env: EnvChange;
  readonly values: Readonly<Record<string, string>>;
  readonly install: string | undefined;
  /** Relative to the directory of the project. */
  readonly files: readonly string[];
}

/** Returns the files as they would be written, without the secrets, which are never shown. */
export function describeFiles({ integration, env, values }: Outcome, out: Output): string {
  const variables = env.set.map((name) => `${name}=${shown(name, values[name])}\n`);
  const heading = (name: string): string => `${out.paint("strong", `--- ${name}`)}\n`;
  const sources = integration.files.map(({ path, text }) => `${heading(path)}${text}\n`);
  return `${sources.join("")}${heading(".env")}${variables.join("")}\n`;
}

function shown(name: string, value = ""): string {
  return name.endsWith("_URL") || value === "" ? printable(value) : "********";
}

export function describeSteps({ integration, env, values, install, files }: Outcome): string {
  const empty = env.set.filter((name) => values[name] === "");
  return [
    files.length > 0
      ? `Wrote ${files.map(printable).join(", ")}.`
      : "Nothing was written; use --write.",
    env.kept.length > 0 && `.env keeps its ${env.kept.join(", ")}; --force replaces.`,
    empty.length > 0 && `Fill in ${empty.join(", ")} in .env.`,
    install && `\nInstall:\n  ${install}`,
    `\nAdd to the application:\n${integration.use.map((line) => `  ${line}`).join("\n")}`,
    `\n${startOf(integration)}, then check the webhook with \`riskgate doctor --env-file .env --webhook URL\`.\n`,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}

function startOf({ start }: Integration): string {
  return start === null ? "Give the platform the variables of .env" : `Start it with \`${start}\``;
}
