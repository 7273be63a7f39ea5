import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NAVIGATION } from "./navigation.ts";

export interface Page {
  /** From the root of the repository, such as docs/sdk.md. */
  file: string;
  /** Where the site shows it, such as /docs/sdk. */
  url: string;
  title: string;
  section: string;
  isInternal: boolean;
  markdown: string;
}

/** The pages in the order of the navigation. Throws if a page has no place in it. */
export function readPages(root: string): Page[] {
  const left = new Set(
    globSync(["*.md", "!(renderer|skills)/**/*.md"], { cwd: join(root, "docs") }).map(withSlashes),
  );
  const take = (path: string) => {
    if (!left.delete(path)) throw new Error(`docs/${path} is not there, or twice in the navigation`);
    return path;
  };
  const named = NAVIGATION.flatMap(({ pages }) => pages.filter((path) => !path.endsWith("*"))).map(take);
  const pages = NAVIGATION.flatMap(({ title: section, pages: paths, isInternal = false }) =>
    paths
      .flatMap((path) =>
        path.endsWith("*")
          ? [...left]
              .filter((one) => one.startsWith(path.slice(0, -1)))
              .sort()
              .map(take)
          : named.filter((one) => one === path),
      )
      .map((path) => readPage(root, path, { section, isInternal })),
  );
  if (left.size > 0) throw new Error(`No place in the navigation: ${[...left].join(", ")}`);
  return pages;
}

function readPage(root: string, path: string, place: Pick<Page, "section" | "isInternal">): Page {
  const markdown = readFileSync(join(root, "docs", path), "utf8");
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`docs/${path} has no title`);
  const name = path.replace(/\.md$/, "");
  const url = name === "index" ? "/docs" : `/docs/${name}`;
  return { file: `docs/${path}`, url, title, markdown, ...place };
}

const withSlashes = (path: string) => path.replaceAll("\\", "/");
