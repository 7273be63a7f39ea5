import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordRoutes } from "@whytrace/testing/record-routes.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const readAll = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => path.endsWith(".test.ts") })
    .map((path) => readFileSync(join(ROOT, path), "utf8"))
    .join("\n");
const ROWS = [
  ...readAll("packages/contract/src/schemas/routes/*-routes.ts").matchAll(/^ {2}"([A-Z]+ \/[^"]+)":/gm),
].map(([, name = ""]) => name);

/* The compiler compares the schemas of a route with its row: see packages/server/src/http/checked-schema.ts. */
describe("the table of routes", () => {
  it("has only routes that the server registers", async () => {
    const registered = recordRoutes();
    await boot();
    expect(ROWS.length).toBeGreaterThan(150);
    expect(ROWS.filter((name) => !registered.has(name))).toEqual([]);
  });

  it("has only routes that the dashboard or the command line calls", () => {
    const clients = readAll("packages/{dashboard,cli}/src/**/*.{ts,tsx}");
    expect(ROWS.filter((name) => !clients.includes(`"${name}"`))).toEqual([]);
  });
});
