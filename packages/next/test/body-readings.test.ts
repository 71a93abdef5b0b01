import { NextRequest } from "next/server.js";
import { bodyReadings, readWith, REQUEST_READERS } from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

bodyReadings("in Next.js", {
  handlers: Object.keys(REQUEST_READERS),
  least: 100,
  async start(gate) {
    return {
      async send({ type, body }, reader, isGated) {
        let email: unknown;
        const handle = async (request: NextRequest): Promise<Response> => {
          email = await readWith(REQUEST_READERS, reader, request);
          return new Response();
        };
        const headers = { "content-type": type };
        const init = { method: "POST", headers, body: Buffer.from(body) };
        const request = new NextRequest("https://app.example/signup", init);
        const route = isGated ? riskGate(gate, handle) : handle;
        return { status: (await route(request, {})).status, email };
      },
    };
  },
});
