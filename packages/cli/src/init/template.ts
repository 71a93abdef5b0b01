import type { Project } from "./project.js";

export interface Import {
  readonly names: readonly string[];
  readonly from: string;
  readonly types?: true;
}

/** A file that the framework finds by its path, and that uses the integration. */
export interface Use {
  /** Relative to the directory of the project. */
  readonly path: string;
  readonly names: readonly string[];
  readonly code: string;
}

/**
 * Role of a framework in a project, most decisive first: the whole application is written in it, it
 * is the server, or it is the platform.
 */
export const LAYERS = ["application", "server", "platform"] as const;

/** The part of an integration that depends on the framework. */
export interface Template {
  /** Packages that indicate that a project uses the framework. */
  readonly usedWith: readonly string[];
  /** Default "server". */
  readonly layer?: (typeof LAYERS)[number];
  /** True if a bundler reads the sources as ES modules, without extensions in imports. */
  readonly isBundled?: true;
  /**
   * Command that starts the application with the variables in `.env`; null for a platform, which
   * sets variables itself. Default `node --env-file=.env`.
   */
  readonly start?: string | null;
  /** Package that exports the gate, the client and the block list. */
  readonly adapter: `@riskgate/${string}`;
  readonly imports: (project: Project) => readonly Import[];
  /** Names that the file exports for the application. */
  readonly exports: readonly string[];
  /** Code of the exports, which uses `lookup`, `blockList` and `setting`. */
  readonly code: (write: CodeWriter) => string;
  readonly uses?: (project: Project) => readonly Use[];
  /** Lines for the application, after the import. */
  readonly use: readonly string[];
}

interface CodeWriter {
  /** Returns an annotation or type parameters; empty in JavaScript. */
  readonly type: (text: string) => string;
}

/** Members of a webhook route's options. */
export const WEBHOOK = `secrets: setting("RISKGATE_SIGNING_SECRET"),
on: {
  security_response: (response) => blockList.apply(response),
  test: () => console.log("riskgate: test payload received"),
},`;

export function indent(text: string, blanks: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(blanks));
}
