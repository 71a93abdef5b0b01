import { describe, expect, it } from "vitest";
import { headersOf, mounted } from "../support/mounted.js";
import { post } from "../support/raw-client.js";
import { vector } from "../support/vectors.js";
import { collectWarnings } from "../support/warnings.js";

const { body: good } = vector("V3");
const read = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
};

// A warning appears once in a process: each case has its turn before the one that warns.
describe("a request refused by its head", () => {
  const unsigned = headersOf(good, "");

  it("says nothing of the mount where it is right, or where the bytes were kept", async () => {
    const warnings = collectWarnings();
    const get = Buffer.from("GET /hook HTTP/1.1\r\nHost: x\r\n\r\n");
    for (const before of [undefined, read]) {
      const { send } = await mounted({}, before);
      expect((await send(post(unsigned, good))).status).toBe(401);
      expect((await send(get)).status).toBe(405);
    }
    expect(await warnings()).toEqual([]);
  });

  it("WHR-20 warns of a wrong mount even where it is not signed", async () => {
    const warnings = collectWarnings();
    const { send } = await mounted({}, async (request) => void (await read(request)));
    for (let n = 0; n < 2; n++) expect((await send(post(unsigned, good))).status).toBe(401);
    expect(await warnings()).toEqual(["RISKGATE_RAW_BODY_UNAVAILABLE"]);
  });
});
