import { RiskGateError } from "@riskgate/core";
import type { Dialogue } from "../terminal/question.js";
import { type Access, checkUrl } from "./access.js";
import { LOOKUP_KINDS, type LookupKind } from "./integration.js";
import type { Project } from "./project.js";
import { detectFrameworks, type Framework, FRAMEWORKS, readFramework } from "./templates.js";

export interface Choice {
  readonly framework: Framework;
  readonly lookup: LookupKind;
  readonly access: Access;
}

export interface Given {
  readonly framework?: Framework;
  readonly lookup?: LookupKind;
  readonly access: Access;
}

/**
 * Applies the options and detects project settings, then asks for missing choices on a terminal.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid reply or an unknown framework.
 */
export async function askForRest(
  project: Project,
  { framework, lookup, access }: Given,
  dialogue: Dialogue | undefined,
): Promise<Choice> {
  const chosen = framework ?? (await findFramework(project, dialogue));
  const hasService = access.baseUrl !== undefined || access.apiKey !== undefined;
  const kind = lookup ?? (hasService ? "service" : await askLookup(dialogue));
  const ask = async (question: string): Promise<string | undefined> =>
    (await dialogue?.ask(question)) || undefined;
  if (kind === "engine") return { framework: chosen, lookup: kind, access };
  const baseUrl = access.baseUrl ?? (await ask("Base URL of the service, empty for later: "));
  return {
    framework: chosen,
    lookup: kind,
    access: {
      baseUrl: baseUrl && checkUrl(baseUrl),
      apiKey: access.apiKey ?? (await ask("Its API key, empty for later: ")),
      reportKey: access.reportKey,
      signingSecret:
        access.signingSecret ?? (await ask("The signing secret of the webhook, empty for later: ")),
    },
  };
}

async function findFramework(project: Project, dialogue: Dialogue | undefined): Promise<Framework> {
  const [found, ...others] = detectFrameworks(project);
  if (found && others.length === 0) return found;
  const known = found ? [found, ...others] : FRAMEWORKS;
  if (dialogue) return readFramework(await dialogue.ask(`Framework (${known.join(", ")}): `));
  const names = found ? `more than one framework: ${known.join(", ")}` : "no framework";
  throw new RiskGateError("CONFIG_INVALID", `package.json names ${names}`, {
    hint: `Name one with --framework: ${known.join(", ")}`,
  });
}

async function askLookup(dialogue: Dialogue | undefined): Promise<LookupKind> {
  const word = await dialogue?.ask(
    "Score in the application with an `engine`, or ask a `service`? [engine] ",
  );
  const kind = LOOKUP_KINDS.find((one) => one === (word || "engine"));
  if (kind !== undefined) return kind;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `expected ${LOOKUP_KINDS.join(" or ")}, given ${word}`,
    {
      hint: "Answer with one of the two words, or use --lookup",
    },
  );
}
