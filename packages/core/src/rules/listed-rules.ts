/** Compiles the rules that a gate received as data. */
export { createRules as listedRules } from "./create-rules.js";
