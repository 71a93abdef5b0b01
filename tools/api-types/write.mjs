import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = new URL("../../packages/service/openapi.yaml", import.meta.url);
const TYPES = new URL("openapi.d.ts", import.meta.url);

/**
 * Writes the types of the service's API, from its description: one for each schema, and `paths` with
 * the parameters, bodies and answers of each operation. Does nothing if the description is unchanged.
 */
export async function writeApiTypes() {
  if (existsSync(TYPES) && statSync(TYPES).mtimeMs > statSync(SOURCE).mtimeMs) return;
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const nodes = await openapiTS(readFileSync(SOURCE, "utf8"), {
    immutable: true,
    // A request may leave out what has a default.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  writeFileSync(TYPES, astToString(nodes));
}

// After an installation, so that an editor and the linter find the types before the first build.
if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) await writeApiTypes();
