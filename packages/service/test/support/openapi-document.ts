import { Ajv2020 as Ajv, type ValidateFunction } from "ajv/dist/2020.js";
import { OPENAPI_TEXT } from "../../src/http/openapi-text.js";

/** A JSON schema, with the members that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A value of a request outside its body. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, object>>;
  /** Set if only the administration listener serves it. */
  readonly servers?: readonly object[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: { readonly delivery: unknown };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The content of `openapi.yaml`. */
export const document: Document = JSON.parse(OPENAPI_TEXT) as Document;

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(document, "document");
const validators = new Map<string, ValidateFunction>();

/** Returns the target of a reference. */
export function resolved(node: object): object {
  const { $ref } = node as { readonly $ref?: string };
  if ($ref === undefined) return node;
  const names = $ref.slice(2).split("/");
  return names.reduce(
    (at: unknown, name) => (at as Record<string, unknown>)[name],
    document,
  ) as object;
}

/** The schema of an answer, if the document has one of JSON. */
export function answerSchema(operation: Operation | undefined, status: number): Schema | undefined {
  const response = operation?.responses[String(status)];
  return response && (resolved(response) as Content).content?.["application/json"]?.schema;
}

/** The schema of the body of a request. */
export function bodySchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.["application/json"]?.schema;
}

/** Returns the violations of a schema, one line for each. */
export function schemaProblems(schema: Schema, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  let validate = validators.get(text);
  if (!validate) validators.set(text, (validate = ajv.compile(JSON.parse(text) as object)));
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = "" }) => `answer${instancePath} ${message}`,
  );
}
