import { expect, it } from "vitest";
import { PathPrefix } from "./path-prefix.ts";

it("is taken off once, and only whole", () => {
  const prefix = new PathPrefix("/w/sample");
  const rewritten = (url: string) => {
    const request = { url };
    return [prefix.rewrite(request), prefix.isOf({ raw: request })];
  };
  expect(rewritten("/w/sample/api/traces?page=2")).toEqual(["/api/traces?page=2", true]);
  expect(rewritten("/w/sample")).toEqual(["/", true]);
  expect(rewritten("/w/sample?range=7d")).toEqual(["/?range=7d", true]);
  expect(rewritten("/w/sample/w/sample/api/traces")).toEqual(["/w/sample/api/traces", true]);
  expect(rewritten("/w/samples/api/traces")).toEqual(["/w/samples/api/traces", false]);
  expect(rewritten("/api/traces")).toEqual(["/api/traces", false]);
});
