/** The keywords that `openapi.yaml` uses for what the service answers. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
}

/** What is wrong with a value by its schema, one line for each. */
export function schemaProblems(
  given: object,
  value: unknown,
  document: object,
  path = "answer",
): string[] {
  const schema = resolve(given, document);
  const problems: string[] = [];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return [`${path} is not of type ${types.join(", ")}`];
  }
  if (schema.enum && !schema.enum.includes(value)) problems.push(`${path} is not in the list`);
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum || value > maximum) problems.push(`${path} is out of range`);
  }
  if (typeof value === "string" && schema.pattern !== undefined) {
    if (!new RegExp(schema.pattern).test(value)) problems.push(`${path} has another form`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return problems;

  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) problems.push(`${path}.${name} is missing`);
  }
  for (const [name, member] of Object.entries(value)) {
    const known = schema.properties?.[name];
    if (known) problems.push(...schemaProblems(known, member, document, `${path}.${name}`));
    else if (schema.additionalProperties === false) problems.push(`${path}.${name} is not known`);
  }
  return problems;
}

function resolve(schema: Schema, document: object): Schema {
  if (schema.$ref === undefined) return schema;
  const names = schema.$ref.slice(2).split("/");
  return names.reduce(
    (node: unknown, name) => (node as Record<string, unknown>)[name],
    document,
  ) as Schema;
}

function hasType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
