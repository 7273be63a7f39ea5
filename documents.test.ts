import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, withInstallLines } from "./scripts/install-lines.ts";

const ROOT = import.meta.dirname;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("documents", () => {
  it.each(DOCUMENTS)("%s shows the commands that install the SDK today", (path) => {
    expect(read(path)).toBe(withInstallLines(read(path)));
  });
});
