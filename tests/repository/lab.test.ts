import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { SKIPPED_SCRIPTS, SMALLEST_RUNS } from "../../lab/smallest.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** What the lab's scripts and tests import, and what programs of other folders import of the lab. */
const FILES = globSync("{lab,packages,tests}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
});
const IMPORTED = new Set(
  FILES.flatMap((path) =>
    Array.from(read(path).matchAll(/(?:from|import)\s*\(?"(\.{1,2}\/|@whytrace\/lab\/)([^"]+)"/g)).map(
      ([, start = "", rest = ""]) =>
        start === "@whytrace/lab/" ? `lab/${rest}` : relative(ROOT, join(ROOT, dirname(path), start, rest)),
    ),
  ),
);
const SCRIPTS = FILES.filter(
  (path) => path.startsWith("lab/") && !path.endsWith(".test.ts") && !IMPORTED.has(path),
).sort();

describe("the lab", () => {
  it("has no script that the nightly run neither starts nor skips with a reason", () => {
    expect(SCRIPTS.length).toBeGreaterThan(50);
    const known = [...SMALLEST_RUNS.map(({ script }) => script), ...Object.keys(SKIPPED_SCRIPTS)];
    expect(known.sort()).toEqual(SCRIPTS);
    for (const reason of Object.values(SKIPPED_SCRIPTS)) expect(reason).toMatch(/^(needs|installs) /);
  });

  it("has each trial in its table, and in the table nothing else", () => {
    const listed = Array.from(
      read("lab/trials/README.md").matchAll(/^\| `.*?(lab\/\S+\.ts)/gm),
      ([, path]) => path,
    );
    expect(listed.sort()).toEqual(SCRIPTS.filter((path) => path.startsWith("lab/trials/")));
  });

  it("is run by the nightly checks, whose failure is that of the run", () => {
    expect(read("tools/check.ts")).toContain('"npm", "run", "-s", "lab"');
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(scripts.lab).toMatch(/tools\/lab\.ts$/);
  });
});
