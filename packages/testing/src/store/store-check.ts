import type { ContractCheck } from "../base/contract-check.js";

export function storeCheck<Harness, Open extends { readonly close: () => Promise<void> }>(
  id: string,
  title: string,
  open: (harness: Harness) => Promise<Open>,
  body: (opened: Open, harness: Harness) => Promise<void>,
  timeoutMs: number = 60_000,
): ContractCheck<Harness> {
  return {
    id,
    title,
    timeoutMs,
    async run(harness) {
      const opened = await open(harness);
      try {
        await body(opened, harness);
      } finally {
        await opened.close();
      }
    },
  };
}
