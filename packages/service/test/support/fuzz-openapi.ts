import * as fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import {
  answerSchema,
  bodySchema,
  document,
  type Operation,
  type Parameter,
  resolved,
  type Schema,
  schemaProblems,
} from "./openapi-document.js";
import { temporaryDirectory } from "./temporary-storage.js";

const TOKEN = "admin-token-of-the-tests";

interface Call {
  readonly method: string;
  readonly template: string;
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const OPERATIONS = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ template, method, operation })),
);

/**
 * Sends requests that are made from the document, right ones and wrong ones, to a real service, and
 * asserts that it describes every answer.
 *
 * @returns The statuses of the answers.
 */
export async function fuzzOpenapi(requests: number): Promise<ReadonlySet<number>> {
  const service = await createService({
    dataDir: await temporaryDirectory(),
    adminToken: TOKEN,
    adminProofKey: "proof-key-of-the-tests",
    // What is delivered would go to made-up URLs.
    dispatch: false,
    feeds: [{ kind: "tor", entries: ["185.220.101.1"] }],
  });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  // Ids that the service has given, so that not everything is 404.
  const ids: string[] = [];
  const keys: string[] = [];
  const statuses = new Map<number, number>();
  const first = await fetch(`${adminUrl}/admin/v1/applications`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: '{"name":"Shop"}',
  });
  remember(await first.json(), ids, keys);

  await fc.assert(
    fc.asyncProperty(callArbitrary, async (made) => {
      const call = made(ids, keys);
      const response = await fetch(`${call.operation.servers ? adminUrl : url}${call.path}`, {
        method: call.method.toUpperCase(),
        headers: call.headers,
        ...(call.body !== undefined && { body: call.body }),
      });
      const text = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const what = `${call.operation.operationId} ${call.path} ${call.body}: ${response.status}`;
      expect(Object.keys(call.operation.responses), what).toContain(String(response.status));
      if (call.template === "/metrics" && response.ok) return;
      const schema = answerSchema(call.operation, response.status);
      expect(schema, what).toBeDefined();
      const value: unknown = JSON.parse(text);
      expect(schemaProblems(schema!, value), what).toEqual([]);
      remember(value, ids, keys);
    }),
    { numRuns: requests, endOnFailure: true },
  );
  return new Set(statuses.keys());
}

/** Keeps ids and keys of an answer, the latest ones. */
function remember(value: unknown, ids: string[], keys: string[]): void {
  JSON.stringify(value, (name, member: unknown) => {
    if (name === "id" && typeof member === "string") ids.unshift(member);
    if (name === "key" && typeof member === "string") keys.unshift(member);
    return member;
  });
  ids.length = Math.min(ids.length, 50);
  keys.length = Math.min(keys.length, 5);
}

const callArbitrary: fc.Arbitrary<(ids: readonly string[], keys: readonly string[]) => Call> = fc
  .constantFrom(...OPERATIONS)
  .chain(({ template, method, operation }) => {
    const parameters = (operation.parameters ?? []).map((one) => resolved(one) as Parameter);
    const schema = bodySchema(operation);
    return fc
      .record({
        values: fc.tuple(...parameters.map((one) => parameterArbitrary(one))),
        pick: fc.nat(),
        body: schema ? mostly(arbitraryOf(schema)) : fc.constant(undefined),
        isKnown: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
      })
      .map(
        ({ values, pick, body, isKnown }) =>
          (ids: readonly string[], keys: readonly string[]): Call => {
            const query = new URLSearchParams();
            let path = template;
            parameters.forEach((parameter, index) => {
              const given = String(values[index]);
              const known = parameter.name === "id" ? ids[pick % (ids.length || 1)] : undefined;
              const value = (isKnown ? known : undefined) ?? given;
              if (parameter.in === "path")
                path = path.replace(`{${parameter.name}}`, encodeURIComponent(value || "x"));
              else if (parameter.in === "query" && pick % 3 > 0) query.set(parameter.name, given);
            });
            const text = query.toString();
            const key = keys[0] ?? "none";
            return {
              method,
              template,
              operation,
              path: text ? `${path}?${text}` : path,
              headers: {
                "x-api-key": isKnown ? key : "wrong",
                authorization: `Bearer ${isKnown ? TOKEN : "wrong"}`,
                ...(body !== undefined && { "content-type": "application/json" }),
              },
              body: body === undefined ? undefined : JSON.stringify(body),
            };
          },
      );
  });

function parameterArbitrary({ schema }: Parameter): fc.Arbitrary<unknown> {
  // One path step would lead elsewhere.
  return fc.oneof(
    { weight: 4, arbitrary: arbitraryOf(schema) },
    {
      weight: 1,
      arbitrary: fc
        .string({ minLength: 1, maxLength: 40 })
        .filter((text) => !/^\.{1,2}$/.test(text)),
    },
  );
}

/** Nearly always the given, now and then any other JSON. */
function mostly(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 29, arbitrary },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

/** Schemas whose values are being made. */
const open = new Set<Schema>();

/** Values of a schema; those of one that holds itself do so once. */
function arbitraryOf(given: Schema): fc.Arbitrary<unknown> {
  const schema: Schema = resolved(given);
  if (open.has(schema)) return fc.constant({});
  open.add(schema);
  try {
    return within(schema);
  } finally {
    open.delete(schema);
  }
}

function within(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(arbitraryOf));
  const types = [schema.type ?? "object"].flat();
  return fc.oneof(...types.map((type) => ofType(schema, type)));
}

function ofType(schema: Schema, type: string): fc.Arbitrary<unknown> {
  const { minimum: min = 0, maximum: max = 1_000 } = schema;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min, max });
    case "number":
      return fc.double({ min, max, noNaN: true });
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 4 });
    case "string":
      return fc.oneof(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.constantFrom(
          "8.8.8.8",
          "https://hooks.example/",
          "ann@example.com",
          "2026-01-31T12:00:00.000000+00:00",
          "10.0.0.0/8",
        ),
      );
    default: {
      const members = Object.entries(schema.properties ?? {});
      const model = Object.fromEntries(
        members.map(([name, one]) => [name, mostly(arbitraryOf(one))]),
      );
      return fc.record(model, { requiredKeys: [...(schema.required ?? [])] });
    }
  }
}
