import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Resolve } from "@riskgate/core/address";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeCertificate } from "../../../../tools/test/certificate.js";
import { downloadFeed, type FeedRequest } from "../../src/feeds/feed-download.js";
import { type FeedServer, startFeedServer } from "../support/feed-server.js";

const LIST = "8.8.8.8\n8.8.4.4\n";

let server: FeedServer;
beforeEach(async () => {
  server = await startFeedServer();
});
afterEach(() => server.close());

const download = (url: string, change: Partial<FeedRequest> = {}) =>
  downloadFeed({
    url,
    maxBytes: 1000,
    signal: new AbortController().signal,
    onBytes() {},
    ...change,
  });

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "received",
    (error: { code?: string }) => error.code,
  );

const redirectTo = (location: string) => {
  server.answer = (_, response) => response.writeHead(302, { location }).end();
};

/** Names with the addresses that each question about them is answered with, the last for good. */
function namesOf(names: Record<string, string[]>) {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    asked.push(name);
    const answers = names[name] ?? [];
    const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? "";
    return [{ address, family: address.includes(":") ? 6 : 4 }];
  };
  return { asked, resolve };
}

/** An HTTPS server with its own certificate, and how many have tried to connect to it. */
async function startHttps(): Promise<{ port: number; connections: () => number }> {
  const { key, cert } = makeCertificate("127.0.0.1", new Date(0), new Date("2100-01-01"));
  let connections = 0;
  const https = createHttpsServer({ key, cert }, (_, response) => response.end(LIST));
  https.on("connection", () => connections++);
  await new Promise<void>((resolve) => {
    https.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        https.close(() => resolve());
        https.closeAllConnections();
      }),
  );
  return { port: (https.address() as AddressInfo).port, connections: () => connections };
}

describe("downloadFeed", () => {
  it.each<[string, string]>([
    ["an address of this network", "https://10.0.0.1/"],
    ["the metadata of a cloud", "https://169.254.169.254/latest/meta-data/"],
    ["a decimal form of one", "https://2852039166/latest/"],
    ["an address that is mapped", "https://[::ffff:10.0.0.1]/"],
    ["an address that is translated", "https://[64:ff9b::a9fe:a9fe]/"],
    ["a unique local address", "https://[fd00::1]/"],
    ["a link-local address", "https://[fe80::1]/"],
    ["the unspecified address", "https://0.0.0.0/"],
    ["a name of this network", "https://inside.test/"],
    ["a name of the metadata", "https://metadata.test/"],
  ])("refuses a redirect to %s, without connecting to it", async (_label, location) => {
    redirectTo(location);
    const { resolve } = namesOf({
      "inside.test": ["192.168.0.1"],
      "metadata.test": ["169.254.169.254"],
    });
    // A connection would end with the error of the network.
    expect(await codeOf(download(server.origin, { resolve }))).toBe("REDIRECT_REFUSED");
  });

  it("refuses a name of a listener that it may not be sent to", async () => {
    const { port, connections } = await startHttps();
    // The unspecified address is this machine, and another kind than 127.0.0.1.
    const { resolve } = namesOf({ "other.test": ["0.0.0.0"] });
    redirectTo(`https://other.test:${port}/`);
    expect(await codeOf(download(server.origin, { resolve }))).toBe("REDIRECT_REFUSED");
    expect(connections()).toBe(0);
  });

  it("connects to the address that it judged, however the name changes", async () => {
    const { port, connections } = await startHttps();
    const { asked, resolve } = namesOf({ "rebind.test": ["10.0.0.1", "127.0.0.1"] });
    redirectTo(`https://rebind.test:${port}/`);
    expect(await codeOf(download(server.origin, { resolve }))).toBe("REDIRECT_REFUSED");
    expect([asked, connections()]).toEqual([["rebind.test"], 0]);
  });

  it("judges a redirect within its own server too", async () => {
    const url = new URL(server.origin);
    url.hostname = "feed.test";
    const { asked, resolve } = namesOf({ "feed.test": ["127.0.0.1", "10.0.0.1"] });
    redirectTo("/private");
    expect(await codeOf(download(url.href, { resolve }))).toBe("REDIRECT_REFUSED");
    expect(asked).toEqual(["feed.test", "feed.test"]);
    expect(server.requests).toHaveLength(1);
  });

  it("goes from this machine to this machine where the operator began there", async () => {
    server.answer = (request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/list" }).end();
      else response.end(LIST);
    };
    expect((await download(server.origin))?.body.toString()).toBe(LIST);
  });

  it.each([
    ["user and password", "https://ann:k1@lists.example/"],
    ["plain http", "http://lists.example/"],
    ["plain http to this machine", "http://127.0.0.1:1/"],
  ])("refuses a redirect with %s", async (_label, location) => {
    redirectTo(location);
    expect(await codeOf(download(server.origin))).toBe("REDIRECT_REFUSED");
  });

  it("judges an address in a redirect for a fetch of the caller too", async () => {
    redirectTo("https://10.0.0.1/");
    expect(await codeOf(download(server.origin, { fetch }))).toBe("REDIRECT_REFUSED");
  });

  it("checks certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
    const { port } = await startHttps();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    onTestFinished(() => {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    });
    expect(await codeOf(download(`https://127.0.0.1:${port}/`))).toBe(
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    );
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("understands %s that nobody asked for, and refuses half of it", async (encoding, compress) => {
    const body = compress(LIST);
    server.answer = (request, response) => {
      response.setHeader("content-encoding", encoding);
      response.end(request.url === "/half" ? body.subarray(0, -4) : body);
    };
    expect((await download(server.origin))?.body.toString()).toBe(LIST);
    await expect(download(`${server.origin}/half`)).rejects.toThrow(
      /unexpected end|premature|aborted/i,
    );
  });
});
