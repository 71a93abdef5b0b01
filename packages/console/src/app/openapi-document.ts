/** The part of JSON Schema that the API description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Answer extends Content {
  readonly description: string;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly servers?: readonly object[];
}

interface Reference {
  readonly $ref: string;
}

export interface OpenapiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation, with its references followed. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  /** True for operations on the console's own port. */
  readonly isHere: boolean;
  readonly summary: string;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly answers: readonly (readonly [status: string, answer: Answer])[];
  /** Names of its security schemes; empty for a public operation. */
  readonly security: readonly string[];
}

export function operationsOf(document: OpenapiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      id: one.operationId,
      tag: one.tags?.[0] ?? "",
      method: method.toUpperCase(),
      path,
      isHere: one.servers !== undefined,
      summary: one.summary,
      description: one.description,
      parameters: (one.parameters ?? []).map((given) => followed<Parameter>(document, given)),
      body: schemaOf(one.requestBody),
      answers: Object.entries(one.responses).map(
        ([status, answer]) => [status, followed<Answer>(document, answer)] as const,
      ),
      security: (one.security ?? document.security).flatMap((each) => Object.keys(each)),
    })),
  );
}

export function schemaOf(body: Content | undefined): Schema | undefined {
  return body?.content?.["application/json"]?.schema;
}

/** Returns the target of a reference, or the given value if it is not a reference. */
export function followed<T>(document: OpenapiDocument, given: T | Reference): T {
  if (!isReference(given)) return given;
  const names = given.$ref.replace(/^#\//, "").split("/");
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T;
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "$ref" in value;
}
