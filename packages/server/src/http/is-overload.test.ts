import { expect, it } from "vitest";
import { Overloaded } from "../concurrency/overloaded.ts";
import { HttpError } from "./http-error.ts";
import { isOverload } from "./is-overload.ts";

it("is every refusal that a later call may not meet, whichever part of the server refused", () => {
  expect(isOverload(new Overloaded(1))).toBe(true);
  expect(isOverload(HttpError.unavailable())).toBe(true);
  expect(isOverload(HttpError.tooManyRequests("slow down", 1))).toBe(true);
  expect(isOverload(new HttpError(404, "no such issue"))).toBe(false);
  expect(isOverload(new Error("a fault of ours"))).toBe(false);
});
