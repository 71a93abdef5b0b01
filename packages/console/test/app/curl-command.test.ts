import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { curlCommand } from "../../src/app/curl-command.js";

const REQUEST = {
  method: "POST" as const,
  url: "https://hooks.test/a?b=c&d",
  headers: [
    { name: "Host", value: "hooks.test" },
    { name: "Content-Length", value: "2" },
    { name: "X-Service-Integrity", value: "abc" },
  ],
  body: "[]",
};

/** The arguments as a shell hands them over. */
function argumentsOf(command: string): string[] {
  const script = command.replace(
    /^curl /,
    `"$0" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- `,
  );
  return JSON.parse(
    execFileSync("sh", ["-c", script, process.execPath], { encoding: "utf8" }),
  ) as string[];
}

describe("a delivery as a command", () => {
  it("is the same request, with what curl sets by itself left out", () => {
    expect(argumentsOf(curlCommand(REQUEST)!)).toEqual([
      "--request",
      "POST",
      "https://hooks.test/a?b=c&d",
      "--header",
      "X-Service-Integrity: abc",
      "--data-binary",
      "[]",
    ]);
  });

  it("is none where a terminal would obey what is pasted", () => {
    for (const control of ["\u007f", "\u009b", "\u001b"]) {
      expect(curlCommand({ ...REQUEST, body: `["${control}"]` })).toBeUndefined();
    }
  });

  it.each([`[{"text":"it's $(touch x) \`id\` \\ \n !! %s"}]`, "@/etc/passwd", "''", "-o x"])(
    "means nothing else to the shell: %j",
    (body) => {
      expect(argumentsOf(curlCommand({ ...REQUEST, body })!).at(-1)).toBe(body);
    },
  );

  it("is none where there is nothing to send, or nowhere", () => {
    expect(curlCommand({ ...REQUEST, body: null })).toBeUndefined();
    expect(curlCommand({ ...REQUEST, url: null })).toBeUndefined();
  });
});
