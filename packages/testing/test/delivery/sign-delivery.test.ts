import { verify } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { signDelivery } from "../../src/delivery/sign-delivery.js";

const SECRET = "hook-secret-1";

describe("signDelivery", () => {
  it("writes an array as JSON and signs the bytes", () => {
    const { body, signature, headers } = signDelivery([{ service_payload_type: "test" }], SECRET);
    expect(body.toString()).toBe('[{"service_payload_type":"test"}]');
    expect(signature).toBe("b3a2ea2d8b4c0975a27724097d7d8d88cda8257dc945cdb0cb28770a4bb255c1");
    expect(headers).toEqual({
      "content-type": "application/json",
      "x-service-integrity": signature,
    });
  });

  it.each([
    ["text", "[ ]\n", Buffer.from("[ ]\n")],
    ["bytes", Buffer.from([0x5b, 0xff]), Buffer.from([0x5b, 0xff])],
    ["nothing", "", Buffer.alloc(0)],
  ])("takes %s as it is", (_, given, expected) => {
    const { body, signature } = signDelivery(given, SECRET);
    expect(body).toEqual(expected);
    expect(verify(expected, signature, SECRET)).toBe(true);
  });

  it.each([undefined, () => {}, Symbol("x")])("refuses to sign %s", (given) => {
    expect(() => signDelivery(given as never, SECRET)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("refuses an empty secret", () => {
    expect(() => signDelivery([], "")).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});
