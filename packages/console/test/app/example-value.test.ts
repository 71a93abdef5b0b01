import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { exampleCommand } from "../../src/app/example-value.js";
import { type OpenapiDocument, operationsOf } from "../../src/app/openapi-document.js";

const FILE = new URL("../../../service/openapi.yaml", import.meta.url);
const document = parse(readFileSync(FILE, "utf8")) as OpenapiDocument;
const operations = operationsOf(document);

const commandOf = (id: string): string => {
  const operation = operations.find((one) => one.id === id);
  expect(operation, id).toBeDefined();
  return exampleCommand(document, "http://127.0.0.1:8081", operation!);
};

describe("the example of an operation", () => {
  it("is a command for each one, without a reference or a placeholder left", () => {
    expect(operations.length).toBeGreaterThan(60);
    for (const { id } of operations)
      expect(commandOf(id), id).not.toMatch(/\{\w+\}|\$ref|undefined/);
  });

  it("asks with the header that opens the operation", () => {
    expect(commandOf("lookupIp")).toBe(
      `curl "$RISKGATE_BASE_URL"'/v1/ips/198.51.100.7' \\\n  --header "x-api-key: $RISKGATE_API_KEY"`,
    );
    expect(commandOf("showOverview")).toContain("curl 'http://127.0.0.1:8081/admin/v1/overview'");
    expect(commandOf("showOverview")).toContain(
      '--header "authorization: Bearer $RISKGATE_ADMIN_TOKEN"',
    );
  });

  it("sends the members that a body must have", () => {
    const command = commandOf("createApplication");
    expect(command).toContain("--request POST");
    expect(command).toMatch(/--data '\{"name":"[^"]+"\}'/);
  });

  it("reports at least one counter", () => {
    expect(commandOf("reportCounters")).toContain(`--data '{"http4xx":3}'`);
  });
});
