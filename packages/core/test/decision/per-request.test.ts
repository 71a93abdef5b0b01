import { expect, it } from "vitest";
import { perRequest } from "../../src/decision/per-request.js";

it("remembers one value for each request and owner", () => {
  const memory = perRequest<object, { count?: number }>(() => ({}));
  const [request, other] = [{}, {}];
  const [lookup, velocity] = [{}, {}];
  memory(request, lookup).count = 1;
  expect(memory(request, lookup)).toEqual({ count: 1 });
  expect(memory(request, velocity)).toEqual({});
  expect(memory(other, lookup)).toEqual({});
});

it("keeps two memories of one owner apart", () => {
  const evidence = perRequest<object, Set<string>>(() => new Set());
  const readings = perRequest<object, Map<string, number>>(() => new Map());
  const [request, owner] = [{}, {}];
  evidence(request, owner).add("ip");
  expect(readings(request, owner)).toEqual(new Map());
});
