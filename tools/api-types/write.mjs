import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = new URL("../../packages/service/openapi.yaml", import.meta.url);
const TYPES = new URL("openapi.d.ts", import.meta.url);
const TEXT = new URL("../../packages/service/src/http/openapi-text.ts", import.meta.url);

/**
 * Writes what is generated from the description of the service's API: its types (one for each schema,
 * and `paths` with the parameters, bodies and answers of each operation), and the text that the service
 * answers. Does nothing if the description is unchanged.
 */
export async function writeApiTypes() {
  if (isCurrent(TYPES) && isCurrent(TEXT)) return;
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const { parse } = await import("yaml");
  const description = readFileSync(SOURCE, "utf8");
  const nodes = await openapiTS(description, {
    immutable: true,
    // A request may leave out what has a default.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  writeFileSync(TYPES, astToString(nodes));
  const text = JSON.stringify(JSON.stringify(parse(description)));
  writeFileSync(TEXT, `export const OPENAPI_TEXT: string =\n  ${text};\n`);
}

/** @param {URL} file */
function isCurrent(file) {
  return existsSync(file) && statSync(file).mtimeMs > statSync(SOURCE).mtimeMs;
}

// After an installation, so that an editor and the linter find the files before the first build.
if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) await writeApiTypes();
