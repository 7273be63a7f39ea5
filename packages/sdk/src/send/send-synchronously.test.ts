import { afterEach, expect, it, vi } from "vitest";
import { readSettings } from "../config.ts";
import { sendSynchronously } from "./send-synchronously.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["in Node.js", false, 1],
  ["never in a single executable, whose child process would be the program itself", true, 0],
])("starts a child process %s", (_, isSea, starts) => {
  const spawnSync = vi.fn(() => ({ status: 0 }));
  vi.spyOn(process, "getBuiltinModule").mockImplementation(
    (name: string) => (name === "node:sea" ? { isSea: () => isSea } : { spawnSync }) as never,
  );
  const isSent = sendSynchronously(
    readSettings({ apiKey: "wt_test" }, {}),
    [{ path: "/api/traces", body: "{}" }],
    100,
  );
  expect([isSent, spawnSync.mock.calls.length]).toEqual([starts === 1, starts]);
});
