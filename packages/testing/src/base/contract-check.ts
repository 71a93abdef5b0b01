/** One executable rule of a contract: run it with any test runner. */
export interface ContractCheck<Harness> {
  /** Name of the case, such as `WHR-03`; several checks may belong to one case. */
  readonly id: string;
  /** Behaviour of the subject, as a verb in the present tense. */
  readonly title: string;
  /** Time to allow, in milliseconds. */
  readonly timeoutMs: number;
  /** Resolves if the rule holds; otherwise rejects with an AssertionError. */
  run(harness: Harness): Promise<void>;
}
