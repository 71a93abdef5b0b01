import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import { type ApiSettings, readApiSettings } from "../../src/http/api-settings.js";

function read(options: object): ApiSettings {
  return readOptions("createService", options, readApiSettings);
}

describe("readApiSettings", () => {
  it("has no administration without a token", () => {
    expect(read({})).toEqual({
      adminToken: undefined,
      console: true,
      rateLimit: { burst: 100, perSecond: 10 },
    });
  });

  it("takes every setting", () => {
    const settings = {
      adminToken: "0123456789abcdef",
      adminOrigin: "https://risk.example.com",
      console: false,
      rateLimit: { burst: 1, perSecond: 0.01 },
    };
    expect(read(settings)).toEqual(settings);
  });

  it.each(["short", "blank in the middle of it", "h\u00e9llo-h\u00e9llo-h\u00e9llo", 42, null])(
    "refuses the token %j without showing it",
    (adminToken) => {
      const reading = (): unknown => read({ adminToken });
      expect(reading).toThrow("`adminToken` must be a string of at least 16 ASCII characters");
      if (typeof adminToken === "string") expect(reading).not.toThrow(adminToken);
    },
  );

  it.each([
    ...["risk.example.com", "https://risk.example.com/", "ftp://a.b", "https://u@a.b"].map(
      (adminOrigin): [object, string] => [
        { adminOrigin },
        "`adminOrigin` must be an origin without",
      ],
    ),
    [{ rateLimit: { burst: 0 } }, "`rateLimit.burst`"],
    [{ rateLimit: { burst: Infinity } }, "`rateLimit.burst`"],
    [{ rateLimit: { perSecond: 0 } }, "`rateLimit.perSecond` must be a number above 0, given 0"],
    [{ rateLimit: { perSecond: Number.NaN } }, "`rateLimit.perSecond`"],
    [
      { rateLimit: { perSecond: 0.001 } },
      "`rateLimit.perSecond` must be at least `burst` in a day",
    ],
    [{ rateLimit: false }, "`rateLimit` must be an object"],
    [{ rateLimit: { perMinute: 5 } }, "`rateLimit.perMinute`: unknown option"],
  ])("refuses %j", (options, message) => {
    expect(() => read(options)).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(message) as unknown,
      }) as Error,
    );
  });
});
