import {
  followed,
  type OpenapiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from "./openapi-document.js";
import { quoted } from "./curl-command.js";

/** Header of each scheme, with a shell variable for the secret. */
const HEADERS: Readonly<Record<string, string>> = {
  apiKey: "x-api-key: $RISKGATE_API_KEY",
  reportKey: "x-api-key: $RISKGATE_REPORT_KEY",
  metricsToken: "authorization: Bearer $RISKGATE_METRICS_TOKEN",
  adminToken: "authorization: Bearer $RISKGATE_ADMIN_TOKEN",
};

/**
 * Returns an operation as a command for a POSIX shell, with variables for keys, tokens and the base URL
 * of lookups.
 *
 * @param origin Origin of the console.
 */
export function exampleCommand(
  document: OpenapiDocument,
  origin: string,
  operation: Operation,
): string {
  const { method, isHere, security } = operation;
  const { path, body } = exampleRequest(document, operation);
  const url = isHere ? quoted(`${origin}${path}`) : `"$RISKGATE_BASE_URL"${quoted(path)}`;
  const header = HEADERS[security[0] ?? ""];
  return [
    `curl${method === "GET" ? "" : ` --request ${method}`} ${url}`,
    // Double quotes, so that the shell inserts the secret.
    ...(header === undefined ? [] : [`--header "${header}"`]),
    ...(body === undefined
      ? []
      : [`--header 'content-type: application/json'`, `--data ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/**
 * Returns the path, with its query, and the body of an example.
 *
 * @param ids Values of path parameters that replace those of the description.
 */
export function exampleRequest(
  document: OpenapiDocument,
  { path, parameters, body }: Pick<Operation, "path" | "parameters" | "body">,
  ids: Readonly<Record<string, string | undefined>> = {},
): { readonly path: string; readonly body: unknown } {
  const needed = parameters.filter(
    (one) => one.in === "query" && (one.required === true || one.example !== undefined),
  );
  const query = needed.map((one): [string, string] => [one.name, textOf(document, one)]);
  const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
  const filled = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (left, one) =>
        left.replace(`{${one.name}}`, encodeURIComponent(ids[one.name] ?? textOf(document, one))),
      path,
    );
  return { path: `${filled}${search}`, body: body && exampleValue(document, body) };
}

/** Returns the first example of a schema, or its smallest value: the required members only. */
function exampleValue(document: OpenapiDocument, given: Schema, name: string = ""): unknown {
  const schema = followed<Schema>(document, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.examples) return schema.examples[0];
  if (schema.oneOf) return exampleValue(document, schema.oneOf[0] ?? {}, name);
  switch ([schema.type ?? "object"].flat()[0]) {
    case "string":
      return EXAMPLES[name] ?? "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return [exampleValue(document, schema.items ?? {}, name)];
    default: {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(
        required.map((one) => [one, exampleValue(document, properties[one] ?? {}, one)]),
      );
    }
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  ip: "203.0.113.7",
  address: "203.0.113.7",
  email: "ada@example.com",
  account: "ada@example.com",
};

function textOf(document: OpenapiDocument, { name, schema, example }: Parameter): string {
  return String(example ?? exampleValue(document, schema, name));
}
