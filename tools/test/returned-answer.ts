/** Answers a request in a plan of the adapter contract. */
type Write = (status: number, text: string) => void;

/** Replaces Node's response, which adapters on Web standards do not have. */
export const NO_RESPONSE = undefined as never;

/** Returns the answer that a hook writes, for an adapter whose hooks return one. */
export async function written(hook: (answer: Write) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    const answer: Write = (status, text) => resolve(new Response(text, { status }));
    new Promise((run) => run(hook(answer))).catch(reject);
  });
}

/** Returns the answer to a login, for an application that maps errors to answers itself. */
export async function statusAnswer(handler: () => number | PromiseLike<number>): Promise<Response> {
  try {
    return new Response(null, { status: await handler() });
  } catch (error) {
    return new Response(null, { status: (error as { readonly status?: number }).status ?? 500 });
  }
}
