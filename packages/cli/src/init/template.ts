import type { Project } from "./project.js";

/** A module, and what is imported from it. */
export interface Import {
  readonly names: readonly string[];
  readonly from: string;
  /** Types alone, which a file of JavaScript leaves out. */
  readonly types?: true;
}

/** The part of an integration that belongs to one framework. */
export interface Template {
  /** Packages of which a project that uses the framework has one. */
  readonly usedWith: readonly string[];
  /** Whether those packages say where the project runs, so that any framework counts before it. */
  readonly isPlatform?: true;
  /** Where the client and the block list come from. */
  readonly core: "@riskgate/core" | "@riskgate/web";
  readonly imports: (project: Project) => readonly Import[];
  /** Names that the file exports. */
  readonly exports: readonly string[];
  /** What makes the exports from `lookup`, `blockList` and `setting`. */
  readonly code: (write: CodeWriter) => string;
  /** Lines for the application, after the import. */
  readonly use: readonly string[];
}

/** Writes for the language of the project. */
interface CodeWriter {
  /** An annotation or a list of type parameters; nothing in JavaScript. */
  readonly type: (text: string) => string;
}

/** Members of the options of a webhook route. */
export const WEBHOOK = `secrets: setting("RISKGATE_WEBHOOK_SECRET"),
on: {
  security_response: (response) => blockList.apply(response),
  test: () => console.log("riskgate: test payload received"),
},`;

/** Move lines to the right. */
export function indent(text: string, blanks: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(blanks));
}
