import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Most elements in one report. */
const MAX_REPORTED = 1000;

/**
 * Most addresses and accounts that the elements of one report may name together: each is an entry of
 * the ledger, and lookups wait while they are recorded.
 */
const MAX_NAMED = 10_000;

/** What became of one report, element by element, in the order given. */
export interface Report {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly elements: readonly ReportedElement[];
  /** Security events that follow from it, with the ids that they are stored under. */
  readonly events: readonly { readonly id: string; readonly kind: string }[];
}

/** What became of one element. */
export type ReportedElement =
  | {
      readonly state: "accepted";
      readonly id?: string;
      /** The specification does not name the kind, which may be a mistake. */
      readonly isUnknownKind?: true;
    }
  /** It was reported before, and counts once. */
  | { readonly state: "duplicate"; readonly id?: string }
  | { readonly state: "refused"; readonly reason: string };

/** An element that could be read, or why it could not. */
export type ReadElement<T> = { readonly value: T } | { readonly reason: string };

/**
 * Reads the elements of a report, each on its own.
 *
 * @param namedBy How many addresses and accounts an element names; default one.
 * @throws {RiskGateError} INVALID_ARGUMENT unless it is an array of at most 1,000.
 */
export function readElements<T>(
  elements: unknown,
  read: (element: unknown) => T,
  namedBy: (value: T) => number = () => 1,
): readonly ReadElement<T>[] {
  if (!Array.isArray(elements) || elements.length > MAX_REPORTED) {
    const hint = "Report in parts; what was accepted before is not counted twice";
    const message = `expected an array of at most ${MAX_REPORTED} elements`;
    throw new RiskGateError("INVALID_ARGUMENT", message, { hint });
  }
  let named = 0;
  return elements.map((element) => {
    try {
      const value = read(element);
      const names = namedBy(value);
      if (named + names > MAX_NAMED) return { reason: TOO_MANY_NAMED };
      named += names;
      return { value };
    } catch (error) {
      if (isRiskGateError(error) && error.code === "INVALID_ARGUMENT") {
        return { reason: error.message };
      }
      throw error;
    }
  });
}

const TOO_MANY_NAMED = `the elements before it name ${MAX_NAMED} addresses and accounts: report it in another batch`;

/** Counts the results of the elements. */
export function reportOf(elements: readonly ReportedElement[], events: Report["events"]): Report {
  const count = (state: ReportedElement["state"]): number =>
    elements.filter((element) => element.state === state).length;
  return {
    accepted: count("accepted"),
    duplicates: count("duplicate"),
    refused: count("refused"),
    elements,
    events,
  };
}
