import type { Project } from "./project.js";

/** A module, and what is imported from it. */
export interface Import {
  readonly names: readonly string[];
  readonly from: string;
  /** Types alone, which a file of JavaScript leaves out. */
  readonly types?: true;
}

/** A file that the framework finds by its path, and that uses what the integration exports. */
export interface Use {
  /** Relative to the directory of the project. */
  readonly path: string;
  readonly names: readonly string[];
  readonly code: string;
}

/**
 * What the packages of a framework say about a project, in the order that counts: what the whole
 * application is written in, which may contain a server; its server; where it runs.
 */
export const LAYERS = ["application", "server", "platform"] as const;

/** The part of an integration that belongs to one framework. */
export interface Template {
  /** Packages of which a project that uses the framework has one. */
  readonly usedWith: readonly string[];
  /** Default "server". */
  readonly layer?: (typeof LAYERS)[number];
  /** Whether a bundler reads the sources: as ES modules, and without extensions in imports. */
  readonly isBundled?: true;
  /**
   * What starts the application with the variables in `.env`; null where a platform does, which has
   * variables of its own. Default `node --env-file=.env`.
   */
  readonly start?: string | null;
  /** Where the client and the block list come from. */
  readonly core: "@riskgate/core" | "@riskgate/web";
  readonly imports: (project: Project) => readonly Import[];
  /** Names that the file exports for the application. */
  readonly exports: readonly string[];
  /** What makes the exports from `lookup`, `blockList` and `setting`. */
  readonly code: (write: CodeWriter) => string;
  readonly uses?: (project: Project) => readonly Use[];
  /** Lines for the application, after the import. */
  readonly use: readonly string[];
}

/** Writes for the language of the project. */
interface CodeWriter {
  /** An annotation or a list of type parameters; nothing in JavaScript. */
  readonly type: (text: string) => string;
}

/** Members of the options of a webhook route. */
export const WEBHOOK = `secrets: setting("RISKGATE_SIGNING_SECRET"),
on: {
  security_response: (response) => blockList.apply(response),
  test: () => console.log("riskgate: test payload received"),
},`;

/** Move lines to the right. */
export function indent(text: string, blanks: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(blanks));
}
