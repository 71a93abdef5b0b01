import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Most elements in one report. */
const MAX_REPORTED = 1000;

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
      /** The kind is none of the specification: perhaps a mistake, so that it is pointed out. */
      readonly isUnknownKind?: true;
    }
  /** It was reported before, and counts once. */
  | { readonly state: "duplicate"; readonly id?: string }
  | { readonly state: "refused"; readonly reason: string };

/** An element that could be read, or why it could not. */
export type ReadElement<T> = { readonly value: T } | { readonly reason: string };

/**
 * Read the elements of a report, each on its own.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT unless it is an array of at most 1,000.
 */
export function readElements<T>(
  elements: unknown,
  read: (element: unknown) => T,
): readonly ReadElement<T>[] {
  if (!Array.isArray(elements) || elements.length > MAX_REPORTED) {
    const hint = "Report in parts; what was accepted before is not counted twice";
    const message = `expected an array of at most ${MAX_REPORTED} elements`;
    throw new RiskGateError("INVALID_ARGUMENT", message, { hint });
  }
  return elements.map((element) => {
    try {
      return { value: read(element) };
    } catch (error) {
      if (isRiskGateError(error) && error.code === "INVALID_ARGUMENT") {
        return { reason: error.message };
      }
      throw error;
    }
  });
}

/** Count up what became of the elements. */
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
