import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
}

const file = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
const { packages } = JSON.parse(file) as { packages: Record<string, Entry> };
const fromRegistry = Object.entries(packages).filter(
  ([path, { link, inBundle }]) => path.includes("node_modules/") && !link && !inBundle,
);

/**
 * Biome's builds for other platforms than Linux with glibc: the registry that this lockfile was made from lacks them in
 * this version. Only `npm run lint` uses them. Delete this exception when `npm run lockfile` finds their integrity.
 */
const WITHOUT_INTEGRITY = /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux-\w+-musl)/;

describe("package-lock.json", () => {
  it("has the integrity of every package, so that npm refuses a changed one", () => {
    expect(fromRegistry.length).toBeGreaterThan(300);
    const unverified = fromRegistry.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(unverified.map(([path]) => path).filter((path) => !WITHOUT_INTEGRITY.test(path))).toEqual([]);
  });

  it("names no registry, so that npm uses the one that the user has configured", () => {
    expect(fromRegistry.filter(([, { resolved }]) => resolved)).toEqual([]);
  });
});
