import type { AnyNode } from "@humanwhocodes/momoa";
import { refuseDeep, TOO_DEEP } from "../base/shallow-json.js";
import { type CheckedRules, checkRules } from "./rule-check.js";
import type { RuleProblem } from "./rule-problem.js";
import { GATE_RULE_VOCABULARY, type RuleVocabulary } from "./rule-vocabulary.js";

/**
 * Checks the text of a rule file: valid JSON without duplicate members. Each problem has its line
 * and column.
 *
 * @param vocabulary Default that of a gate.
 */
export async function checkRuleText<Outcome extends string>(
  given: string,
  vocabulary: RuleVocabulary<Outcome> = GATE_RULE_VOCABULARY as RuleVocabulary<Outcome>,
): Promise<CheckedRules<Outcome>> {
  // Loaded only if a file is used.
  const { parse } = await import("@humanwhocodes/momoa");
  const text = given.replace(/^\uFEFF/, "");
  let body: AnyNode;
  let value: unknown;
  let twice: readonly RuleProblem[];
  try {
    refuseDeep(text);
    ({ body } = parse(text, { mode: "json" }));
    value = JSON.parse(text);
    twice = repeatedMembers(body, "");
  } catch (error) {
    return { rules: [], problems: [syntaxProblem(error)] };
  }
  const checked = checkRules(value, vocabulary);
  if (twice.length === 0 && checked.problems.length === 0) return checked;
  const located = checked.problems.map((problem) => {
    const { line, column } = placeOf(body, problem.pointer);
    return { ...problem, line, column };
  });
  const problems = [...twice, ...located].toSorted(
    (one, other) => one.line! - other.line! || one.column! - other.column!,
  );
  return { rules: [], problems };
}

/** Returns the syntax error in the text, with line and column; undefined for valid JSON. */
export async function jsonProblem(given: string): Promise<RuleProblem | undefined> {
  const { parse } = await import("@humanwhocodes/momoa");
  const text = given.replace(/^\uFEFF/, "");
  try {
    refuseDeep(text);
    parse(text, { mode: "json" });
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return syntaxProblem(error);
  }
}

/** Returns the position at which the parser stopped, unless the text is nested too deeply. */
function syntaxProblem(error: unknown): RuleProblem {
  if (error instanceof RangeError) {
    return { pointer: "", reason: `expected JSON, given some that is ${TOO_DEEP}` };
  }
  const { message, line, column } = error as Error & { line?: number; column?: number };
  // The parser's message also contains the position.
  const reason = `expected JSON: ${message.replace(/ \(\d+:\d+\)$/, "")}`;
  return {
    pointer: "",
    reason,
    ...(line !== undefined && column !== undefined && { line, column }),
  };
}

type Place = Required<Pick<RuleProblem, "line" | "column">>;

/** Returns the position of a JSON Pointer; for a missing member, its parent's. */
function placeOf(root: AnyNode, pointer: string): Place {
  let node = root;
  let place: Place = startOf(node);
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = childOf(node, name);
    if (!next) break;
    place = startOf(next.at);
    node = next.value;
  }
  return place;
}

function childOf(node: AnyNode, name: string): { at: AnyNode; value: AnyNode } | undefined {
  if (node.type === "Array") {
    const element = node.elements[Number(name)];
    return element && { at: element.value, value: element.value };
  }
  if (node.type !== "Object") return undefined;
  const member = node.members.findLast((one) => nameOf(one.name) === name);
  return member && { at: member.value, value: member.value };
}

/** Finds duplicate members: JSON parsers silently keep only the last one. */
function repeatedMembers(node: AnyNode, pointer: string): RuleProblem[] {
  if (node.type === "Array") {
    return node.elements.flatMap(({ value }, index) =>
      repeatedMembers(value, `${pointer}/${index}`),
    );
  }
  if (node.type !== "Object") return [];
  const seen = new Set<string>();
  return node.members.flatMap((member) => {
    const name = nameOf(member.name);
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const within = repeatedMembers(member.value, at);
    if (!seen.has(name)) {
      seen.add(name);
      return within;
    }
    return [{ pointer: at, reason: "the member is given twice", ...startOf(member) }, ...within];
  });
}

function nameOf(node: AnyNode): string {
  if (node.type === "String") return node.value;
  return node.type === "Identifier" ? node.name : "";
}

function startOf({ loc }: AnyNode): Place {
  const { line, column } = loc.start;
  return { line, column };
}
