import { isRiskGateError, RiskGateError } from "@riskgate/core";

const MAX_REPORTED = 1000;

/**
 * Maximum number of addresses and accounts in all elements of a report: each adds a ledger entry, and
 * lookups wait while the entries are recorded.
 */
const MAX_NAMED = 10_000;

export interface Report {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly elements: readonly ReportedElement[];
  /** The resulting security events, with the ids under which they are stored. */
  readonly events: readonly { readonly id: string; readonly kind: string }[];
}

export type ReportedElement =
  | {
      readonly state: "accepted";
      readonly id?: string;
      /** True if the specification does not name the kind, which may be a mistake. */
      readonly isUnknownKind?: true;
    }
  /** The element was already reported, and counts only once. */
  | { readonly state: "duplicate"; readonly id?: string }
  | { readonly state: "refused"; readonly reason: string };

export type ReadElement<T> = { readonly value: T } | { readonly reason: string };

/**
 * Reads the elements of a report independently of each other.
 *
 * @param namedBy Returns the number of addresses and accounts that an element names; default 1.
 * @throws {RiskGateError} INVALID_ARGUMENT unless the value is an array of at most 1,000 elements.
 */
export function readElements<T>(
  elements: unknown,
  read: (element: unknown) => T,
  namedBy: (value: T) => number = () => 1,
): readonly ReadElement<T>[] {
  if (!Array.isArray(elements) || elements.length > MAX_REPORTED) {
    const hint = "Split the report; elements that were already accepted are not counted twice";
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
