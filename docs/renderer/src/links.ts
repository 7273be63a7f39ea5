import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { headingAnchors } from "./heading-anchors.ts";
import type { Page } from "./read-pages.ts";

interface LinksOptions {
  root: string;
  pages: Page[];
  /** The checkout has only docs/: links to other files become text. */
  isPartial: boolean;
}

/** Where the links of pages lead, on the site. Notes what is broken, and which files have to be copied. */
export class Links {
  readonly broken: string[] = [];
  /** Files and folders that pages link to and that are no pages, from the root of the repository. */
  readonly files = new Set<string>();
  readonly #options: LinksOptions;
  readonly #byFile: Map<string, Page>;
  readonly #anchors = new Map<Page, Set<string>>();

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#byFile = new Map(options.pages.map((page) => [page.file, page]));
  }

  /** Returns undefined for a link that leads nowhere here. `suffix` is added to the addresses of pages. */
  resolve(page: Page, link: string, suffix = ""): string | undefined {
    if (/^[a-z]+:/i.test(link) || link.startsWith("/")) return link;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? page.file : posix.normalize(posix.join(dirname(page.file), path));
    const target = this.#byFile.get(file);
    if (target) {
      if (anchor !== undefined && !this.#anchorsOf(target).has(anchor)) this.#note(page, link);
      const url = suffix && target.url === "/docs" ? "/docs/index" : target.url;
      return `${url}${suffix}${anchor === undefined ? "" : `#${anchor}`}`;
    }
    if (existsSync(join(this.#options.root, file))) {
      this.files.add(file);
      const isFolder = statSync(join(this.#options.root, file)).isDirectory();
      return file.startsWith("docs/images/")
        ? `/${file}`
        : `/docs/files/${file}${isFolder ? "/list.txt" : ""}`;
    }
    if (!this.#options.isPartial || file.startsWith("docs/")) this.#note(page, link);
    return undefined;
  }

  #note(page: Page, link: string) {
    this.broken.push(`${page.file}: ${link}`);
  }

  #anchorsOf(page: Page): Set<string> {
    const known = this.#anchors.get(page) ?? new Set(headingAnchors(page.markdown));
    this.#anchors.set(page, known);
    return known;
  }
}
