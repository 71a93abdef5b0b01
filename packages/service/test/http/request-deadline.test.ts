import { setImmediate as nextTurn } from "node:timers/promises";
import { fastify, type FastifyInstance } from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { addRequestDeadline, stopDeadline } from "../../src/http/request-deadline.js";

const NEVER = new Promise<never>(() => {});

function serverWith(limitMs: number): FastifyInstance {
  const server = fastify();
  onTestFinished(() => server.close());
  addRequestDeadline(server, limitMs);
  return server;
}

describe("the deadline of a request", () => {
  it("answers 503 whichever step does not end", async () => {
    const server = serverWith(5);
    server.get("/handler", () => NEVER);
    server.post("/handler", () => NEVER);
    server.get("/hook", { onRequest: () => NEVER }, () => "too late");
    const answers = await Promise.all([
      server.inject("/handler"),
      server.inject({ method: "POST", url: "/handler", payload: { some: "body" } }),
      server.inject("/hook"),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(answers[0].json()).toMatchObject({ details: "The service did not respond in time" });
  });

  it("is one for all steps", async () => {
    const server = serverWith(60);
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40));
    server.get("/", { onRequest: pause, preHandler: pause }, () => "too late");
    expect((await server.inject("/")).statusCode).toBe(503);
  });

  it("ignores what ends after the response", async () => {
    const server = serverWith(5);
    let end = (_answer: string): void => {};
    const ended = new Promise<string>((resolve) => (end = resolve));
    server.get("/", () => ended);
    expect((await server.inject("/")).statusCode).toBe(503);
    end("late");
    await ended;
    await nextTurn();
  });

  it("spares a request that is expected to take long", async () => {
    const server = serverWith(5);
    server.get("/", (request) => {
      stopDeadline(request);
      return new Promise((resolve) => setTimeout(resolve, 20, "done"));
    });
    expect((await server.inject("/")).body).toBe("done");
  });
});
