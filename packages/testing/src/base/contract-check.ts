/** One executable rule of a contract: run it with any test runner. */
export interface ContractCheck<Harness> {
  /** Name of the case, such as `WHR-03`; a case may have several checks. */
  readonly id: string;
  readonly title: string;
  /** Time limit, in milliseconds. */
  readonly timeoutMs: number;
  /** Resolves if the rule holds; otherwise rejects with an AssertionError. */
  run(harness: Harness): Promise<void>;
}
