import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, withInstallLines } from "./scripts/install-lines.ts";

const ROOT = import.meta.dirname;
const PAGES = globSync("**/*.md", { cwd: ROOT, exclude: (path) => /node_modules|dist|packages/.test(path) });
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("documents", () => {
  it.each(DOCUMENTS)("%s shows the current commands that install the SDK", (path) => {
    expect(read(path)).toBe(withInstallLines(read(path)));
  });

  it("link only to files and headings that exist", () => {
    expect(PAGES.length).toBeGreaterThan(20);
    const broken = PAGES.flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !linkExists(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

const linksOf = (text: string) =>
  [...text.replaceAll(/```.*?```/gs, "").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));

function linkExists(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(read(target)).includes(heading);
}

/** Heading anchors as GitHub generates them: lower case, no punctuation, hyphens for spaces. */
const headingsOf = (text: string) =>
  [...text.replaceAll(/```.*?```/gs, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
