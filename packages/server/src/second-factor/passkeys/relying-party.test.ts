import { expect, it } from "vitest";
import { relyingPartyOf } from "./relying-party.ts";

it("passkeys belong to the host of the public URL, and exist only where browsers accept it", () => {
  const https = "https://whytrace.example:8443";
  expect(relyingPartyOf(https)).toEqual({ id: "whytrace.example", origin: https });
  expect(relyingPartyOf("http://localhost:3000")).toEqual({
    id: "localhost",
    origin: "http://localhost:3000",
  });
  for (const url of [
    "http://whytrace.example",
    "https://127.0.0.1",
    "http://127.0.0.1:3000",
    "https://[::1]",
  ])
    expect(relyingPartyOf(url)).toBe(undefined);
});
