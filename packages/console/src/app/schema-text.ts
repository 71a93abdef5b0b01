import type { Schema } from "./openapi-document.js";

const INDENT = "  ";

/**
 * Formats a schema in the notation of TypeScript, with descriptions as comments and references by
 * name.
 */
export function schemaText(schema: Schema, indent: string = ""): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.oneOf) return schema.oneOf.map((one) => schemaText(one, indent)).join(" | ");
  const types = [schema.type ?? (schema.properties ? "object" : "unknown")].flat();
  return types.map((type) => textOfType(type, schema, indent)).join(" | ");
}

export function namesIn(schema: Schema): readonly string[] {
  const names = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") names.add(nameIn(value));
    return value;
  });
  return [...names];
}

function textOfType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "array": {
      const items = schemaText(schema.items ?? {}, indent);
      return / \| /.test(items) && !items.endsWith("}") ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return objectText(schema, indent);
    default:
      return type;
  }
}

function objectText(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const within = indent + INDENT;
  const lines = Object.entries(properties).flatMap(([name, member]) => {
    const comment = member.description?.trim().split("\n") ?? [];
    const mark = required.includes(name) ? "" : "?";
    return [
      ...comment.map((line) => `${within}// ${line.trim()}`),
      `${within}${keyText(name)}${mark}: ${schemaText(member, within)}`,
    ];
  });
  if (typeof additionalProperties === "object") {
    lines.push(`${within}[name: string]: ${schemaText(additionalProperties, within)}`);
  }
  return lines.length === 0 ? "object" : `{\n${lines.join("\n")}\n${indent}}`;
}

function keyText(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
