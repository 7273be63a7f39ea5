import { expect, it } from "vitest";
import { WorkspacePrefix } from "./workspace-prefix.ts";

it("is taken off once, and parameters, queries and encoded slashes stay", () => {
  const prefix = new WorkspacePrefix();
  const rewritten = (url: string) => {
    const request = { url };
    return [prefix.rewrite(request), prefix.slugOf({ raw: request })];
  };
  expect(rewritten("/w/k3v9q2mxab/api/traces?page=2")).toEqual(["/api/traces?page=2", "k3v9q2mxab"]);
  expect(rewritten("/w/k3v9q2mxab/api/traces/a%2Fb")).toEqual(["/api/traces/a%2Fb", "k3v9q2mxab"]);
  expect(rewritten("/w/a/w/b/traces")).toEqual(["/w/b/traces", "a"]);
  expect(rewritten("/w/k3v9q2mxab")).toEqual(["/", "k3v9q2mxab"]);
  expect(rewritten("/w/k3v9q2mxab?x=1")).toEqual(["/?x=1", "k3v9q2mxab"]);
  expect(rewritten("/w")).toEqual(["/w", undefined]);
  expect(rewritten("/why")).toEqual(["/why", undefined]);
});
