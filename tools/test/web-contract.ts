/** What no adapter on Web standards can be asked, by the title of its check, and why. */
export const NOT_ON_WEB: Readonly<Record<string, string>> = {
  "keeps the answer of onReject where it fails afterwards": "a hook returns its answer",
  "leaves to onReject the answer that it has begun": "a hook returns its answer",
  "cuts off an answer that onReject has begun and fails": "a hook returns its answer",
  "judges no stream that was turned into text": "a `Request` is no stream of Node",
};

interface Check {
  readonly id: string;
  readonly title: string;
}

/** The checks of the adapter contract for an adapter on Web standards. */
export function onWeb<C extends Check>(contract: readonly C[]): readonly C[] {
  return contract.filter(
    ({ id, title }) => !id.startsWith("LGN") && !Object.hasOwn(NOT_ON_WEB, title),
  );
}

/** A few checks, which show that an adapter is put together. */
export function inShort<C extends Check>(contract: readonly C[]): readonly C[] {
  const ids = ["WHR-01", "WHR-02", "WHR-20", "GAT-02", "GAT-03", "GAT-09"];
  return onWeb(contract).filter(({ id }) => ids.includes(id));
}
