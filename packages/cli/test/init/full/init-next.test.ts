import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../support/application.js";
import { describeEngine, describeIntegration } from "../../support/describe-integration.js";

// The bundler follows links within the repository only.
const parent = join(ROOT, ".riskgate");
mkdirSync(parent, { recursive: true });

describeIntegration(["next"], "ts-commonjs", parent);
describeIntegration(["next"], "commonjs", parent);
describeEngine("next", "ts-commonjs", parent);
