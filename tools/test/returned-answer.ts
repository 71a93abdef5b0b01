/** Answers a request, as a plan of the adapter contract does. */
type Write = (status: number, text: string) => void;

/** There is no response of Node; a plan that uses it is one that adapters on Web standards cannot follow. */
export const NO_RESPONSE = undefined as never;

/** The answer that a hook of a plan writes, for an adapter whose hooks return one. */
export async function written(hook: (answer: Write) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    const answer: Write = (status, text) => resolve(new Response(text, { status }));
    new Promise((run) => run(hook(answer))).catch(reject);
  });
}
