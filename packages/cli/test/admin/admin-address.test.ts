import { expect, it } from "vitest";
import {
  findAdminAddress,
  leaveAdminAddress,
  removeAdminAddress,
} from "../../src/admin/admin-address.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const own = {
  url: "http://127.0.0.1:1",
  baseUrl: "http://127.0.0.1:3",
  token: "token-1",
  proofKey: "key-1",
};
const other = {
  url: "http://127.0.0.1:2",
  baseUrl: "http://127.0.0.1:4",
  token: "token-2",
  proofKey: "key-2",
};

it("a service takes only its own address away", () => {
  leaveAdminAddress(scratch.path, own);
  leaveAdminAddress(scratch.path, other);
  removeAdminAddress(scratch.path, own);
  expect(findAdminAddress(scratch.path)).toEqual(other);
  removeAdminAddress(scratch.path, other);
  expect(findAdminAddress(scratch.path)).toBe(undefined);
  removeAdminAddress(scratch.path, other);
});
