/** Checks that do not apply to adapters on Web standards: their titles, and why. */
export const NOT_ON_WEB: Readonly<Record<string, string>> = {
  "keeps the answer of onReject if it fails afterwards": "a hook returns its answer",
  "lets onReject finish the answer that it has begun": "a hook returns its answer",
  "cuts off an answer that onReject has begun and fails": "a hook returns its answer",
  "refuses a stream that was decoded to text": "a `Request` is not a Node stream",
};

/** Cases that do not apply to functions behind a gateway, and why. */
export const NOT_IN_LAMBDA: Readonly<Record<string, string>> = {
  "WHR-13": "the gateway has read the body",
  "WHR-14": "the gateway has read the body",
  "WHR-18": "the gateway has read the body",
  "WHR-36": "the gateway has read the body",
  "WHR-37": "the gateway has read the body",
  "WHR-39": "the platform has no host in between",
  "GAT-16": "a function is not informed if the client disconnects",
  "DEV-03": "a function is not informed if the client disconnects",
};

/** Cases that do not apply to route handlers of Next.js, and why. */
const NOT_IN_NEXT: Readonly<Record<string, string>> = {
  "WHR-39": "the platform has no host in between",
};

interface Check {
  readonly id: string;
  readonly title: string;
}

/** Returns the checks for an adapter on Web standards. */
export function onWeb<C extends Check>(contract: readonly C[]): readonly C[] {
  return contract.filter(({ title }) => !Object.hasOwn(NOT_ON_WEB, title));
}

/** Returns the checks for functions behind a gateway. */
export function inLambda<C extends Check>(contract: readonly C[]): readonly C[] {
  return onWeb(contract).filter(({ id }) => !Object.hasOwn(NOT_IN_LAMBDA, id));
}

/** Returns the checks for route handlers of Next.js. */
export function inNext<C extends Check>(contract: readonly C[]): readonly C[] {
  return onWeb(contract).filter(({ id }) => !Object.hasOwn(NOT_IN_NEXT, id));
}

/** Returns a few checks, which show that an adapter works as a whole. */
export function inShort<C extends Check>(contract: readonly C[]): readonly C[] {
  const ids = [
    "WHR-01",
    "WHR-02",
    "WHR-20",
    "GAT-02",
    "GAT-03",
    "GAT-09",
    "GAT-24",
    "DEV-01",
    "ATK-01",
    "LGN-01",
    "ADP-01",
  ];
  return onWeb(contract).filter(({ id }) => ids.includes(id));
}
