import { expect, it } from "vitest";
import { ownPath } from "./own-path.ts";

const PUBLIC_URL = "https://whytrace.example";

it("keeps paths of this server, with query and fragment", () => {
  for (const path of ["/", "/traces?status=ERROR", "/w/k3v9q2mxab/traces/1#x"])
    expect(ownPath(PUBLIC_URL, path)).toBe(path);
  expect(ownPath(PUBLIC_URL, `${PUBLIC_URL}/traces`)).toBe("/traces");
});

it("leads nowhere else, however it is written", () => {
  const others = [
    undefined,
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "https://whytrace.example//evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://whytrace.example/",
    "https://whytrace.example@evil.example/",
    "https://[",
  ];
  for (const next of others) expect([next, ownPath(PUBLIC_URL, next)]).toEqual([next, "/"]);
});
