import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { SLICES } from "../../packages/server/src/app.ts";
import { DOCUMENTS, withInstallLines } from "../../tools/install-lines.ts";
import { referencePages } from "../../tools/reference-pages.ts";
import { ROLE_PAGE, withRoleTable } from "../../tools/role-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = globSync("**/*.md", { cwd: ROOT, exclude: (path) => /node_modules|dist|artifacts/.test(path) });
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("documents", () => {
  it.each(DOCUMENTS)("%s shows the current commands that install the SDK", (path) => {
    expect(read(path)).toBe(withInstallLines(read(path)));
  });

  it("show the roles that routes need, as the server checks them", () => {
    expect(read(ROLE_PAGE)).toBe(withRoleTable(read(ROLE_PAGE)));
  });

  it.each(Object.entries(referencePages()))("%s is what the code says", (path, page) => {
    expect(read(path)).toBe(page);
  });

  it("say of the pictures of Why and of a scorecard what these show", () => {
    const [shown = ""] = read("docs/images/why.txt").split(" (");
    expect(shown).toMatch(/^explains \d+ of \d+ failed runs\. In the same situation .* of others \d+ %$/);
    expect(read("README.md").replaceAll(/\s+/g, " ")).toContain(shown.replaceAll(/\s+/g, " "));
    const scorecards = ["README.md", "docs/tour.md"].map(
      (page) => matches(read(page), /(after refund_api \d+ % of the runs failed, after ask_human \d+ %)/g)[0],
    );
    expect(new Set(scorecards).size).toBe(1);
    expect(scorecards[0]).toBeDefined();
  });

  it("give every setting the default that the server has", () => {
    const [, environment = ""] =
      /const environment = z\.object\(\{(.*?)^\}\);/ms.exec(read("packages/server/src/config.ts")) ?? [];
    const defaults = [
      ...environment.matchAll(
        /^ {2}([A-Z_]+):(?:(?!^ {2}[A-Z_]+:).)*?\.(?:default|prefault)\(("[^"]*"|[\w.]+)\)/gms,
      ),
    ].map(([, name = "", value = ""]) => [name, value.replaceAll(/"|(?<=\d)_(?=\d)/g, "")] as const);
    expect(defaults.length).toBeGreaterThan(30);
    const documented = new Map(
      rowsOfTable(read("docs/configuration.md"), "Variable").flatMap(([names = "", value = ""]) =>
        matches(names, /`([^`]+)`/g).map((name) => [name, value] as const),
      ),
    );
    const wrong = defaults.filter(
      ([name, value]) =>
        !/^[A-Z_]+$/.test(value) &&
        !documented.get(name)?.replaceAll(",", "").includes(value.replaceAll(",", "")),
    );
    expect(wrong).toEqual([]);
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

  it("name only sources that exist", () => {
    const names = new Set(
      globSync("{packages,docs,lab,tests,tools}/**/*.{ts,tsx,sql,css}", {
        cwd: ROOT,
        exclude: (path) => /node_modules|dist$/.test(path),
      }).map((path) => basename(path)),
    );
    const missing = PAGES.filter((page) => page !== "CHANGELOG.md").flatMap((page) =>
      [
        ...pathsIn(read(page)).filter((path) => !sourceExists(path)),
        // Guides for others also name files of theirs.
        ...(isForMaintainers(page) ? fileNamesIn(read(page)).filter((name) => !names.has(name)) : []),
      ].map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it("list every slice in order, and every floor", () => {
    const page = read("docs/architecture/slices.md");
    expect(namesInTable(page, "Slice")).toEqual(SLICES);
    const folders = globSync("packages/server/src/*", { cwd: ROOT }).filter((path) =>
      statSync(join(ROOT, path)).isDirectory(),
    );
    expect([...namesInTable(page, "Floor"), ...SLICES].sort()).toEqual(
      folders.map((path) => basename(path)).sort(),
    );
  });

  it("list every file at the top of the server", () => {
    const files = globSync("packages/server/src/*.ts", { cwd: ROOT })
      .map((path) => basename(path))
      .filter((name) => !name.endsWith(".test.ts"));
    expect(namesInTable(read("docs/architecture/slices.md"), "File").sort()).toEqual(files.sort());
  });

  it("list every feature of the dashboard, and the base folders in the order that the architecture test checks", () => {
    const page = read("docs/architecture/dashboard.md");
    const source = read("tests/repository/architecture.test.ts");
    const [, list = ""] = /DASHBOARD_BASE = \[(.*?)\]/.exec(source) ?? [];
    const base = matches(list, /"([^"]+)"/g);
    expect(namesInTable(page, "Base")).toEqual(base);
    const folders = globSync("packages/dashboard/src/*", { cwd: ROOT }).filter((path) =>
      statSync(join(ROOT, path)).isDirectory(),
    );
    expect([...base, ...namesInTable(page, "Feature")].sort()).toEqual(
      folders.map((path) => basename(path)).sort(),
    );
  });

  it("list every worker", () => {
    const started = globSync("packages/server/src/**/*.ts", { cwd: ROOT })
      .filter((path) => !path.endsWith(".test.ts"))
      .flatMap((path) => matches(read(path), /startWorker\(\s*"([^"]+)"/g));
    expect(namesInTable(read("docs/architecture/workers.md"), "Worker").sort()).toEqual(started.sort());
  });

  it("list every table, and its writer as a slice or floor", () => {
    const page = read("docs/architecture/tables.md");
    const created = [
      ...globSync("packages/server/src/db/migrations/*.sql", { cwd: ROOT }),
      "packages/server/src/db/migrate.ts",
    ].flatMap((path) => matches(read(path), /^\s*create table (?:if not exists )?(\w+)/gm));
    expect(namesInTable(page, "Table").sort()).toEqual([...new Set(created)].sort());
    const writers = rowsOfTable(page, "Table").map(([, writer = ""]) => writer);
    expect(writers.filter((writer) => ![...SLICES, "http", "db"].includes(writer))).toEqual([]);
  });

  it("describe every setting, and name none that does not exist", () => {
    const [, environment = ""] =
      /const environment = z\.object\(\{(.*?)^\}\);/ms.exec(read("packages/server/src/config.ts")) ?? [];
    const settings = matches(environment, /^ {2}([A-Z_]+):/gm);
    expect(settings.length).toBeGreaterThan(30);
    const page = read("docs/configuration.md");
    expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const inTables = namesInTable(page, "Variable").filter((name) => !DEVELOPMENT_SETTINGS.includes(name));
    expect(inTables.filter((name) => !settings.includes(name))).toEqual([]);
    // A word that begins like a setting and is none is one that was renamed or removed.
    const beginnings = new Set(
      settings.filter((name) => name.includes("_")).map((name) => name.split("_")[0]),
    );
    const unknown = PAGES.filter((path) => path !== "CHANGELOG.md").flatMap((path) =>
      matches(read(path), /(?<![\w-])([A-Z]+(?:_[A-Z]+)+)\b/g)
        .filter((name) => beginnings.has(name.split("_")[0]) && !settings.includes(name))
        // Each provider has settings of its own name.
        .filter((name) => !/^OIDC_(CORP|ENTRA|OKTA|GOOGLE|GITHUB)_/.test(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it("list every decision, each on a page of at most 90 lines", () => {
    const decisions = globSync("docs/decisions/[0-9]*.md", { cwd: ROOT }).sort();
    expect(decisions.length).toBeGreaterThan(15);
    const list = read("docs/architecture/decisions.md");
    const listed = matches(list, /^\| \d+ +\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm);
    expect(listed.map((path) => `docs/${path}`)).toEqual(decisions);
    expect(decisions.filter((path) => read(path).split("\n").length > 91)).toEqual([]);
    const numbers = decisions.map((path) => Number(basename(path).slice(0, 4)));
    expect(matches(list, /^\| (\d+) +\| \[/gm).map(Number)).toEqual(numbers);
    const unknown = PAGES.flatMap((path) =>
      matches(read(path), /\bdecision (\d+)\b/gi)
        .filter((number) => !numbers.includes(Number(number)))
        .map((number) => `${path}: decision ${number}`),
    );
    expect(unknown).toEqual([]);
  });

  it("link a decision by its own number", () => {
    const wrong = PAGES.flatMap((path) =>
      [...read(path).matchAll(/\[decision (\d+)\]\(([^)]+)\)/gi)]
        .filter(([, number, link = ""]) => Number(basename(link).slice(0, 4)) !== Number(number))
        .map(([link]) => `${path}: ${link}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const text = read("ARCHITECTURE.md");

  it("is read in ten minutes: at most 12 kB, with one diagram", () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000);
    expect(text.match(/^```mermaid$/gm)).toHaveLength(1);
  });

  it("has five walks, each step with a file that exists", () => {
    const [, walks = ""] = /^## Five walks$(.*?)^## /ms.exec(text) ?? [];
    const sections = walks.split(/^### /m).slice(1);
    expect(sections).toHaveLength(5);
    for (const section of sections) {
      const steps = section.split(/^\d+\. /m).slice(1);
      expect(steps.length).toBeGreaterThan(5);
      expect(steps.filter((step) => !pathsIn(step).some((path) => sourceExists(path)))).toEqual([]);
    }
  });

  it("lists every package and names every folder of the repository", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    const packages = namesInTable(text, "Package").filter((name) => name.endsWith("/"));
    expect(packages.sort()).toEqual(workspaces.map((name) => `${name}/`).sort());
    const ignored = read(".gitignore").split("\n");
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => `${name}/`)
      .filter((name) => !ignored.includes(name) && !ignored.includes(`/${name}`));
    expect(folders.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`(${name}`))).toEqual([]);
    // What a release does not publish by itself is a package, too.
    const released = read("CONTRIBUTING.md");
    expect(workspaces.filter((name) => !released.includes(`\`${name}/\``))).toEqual([]);
  });

  it("links every page of docs/architecture", () => {
    const pages = globSync("docs/architecture/*.md", { cwd: ROOT });
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !text.includes(`](${page})`))).toEqual([]);
  });
});

const DEVELOPMENT_SETTINGS = ["TEST_DATABASE_URL", "CONFORMANCE_DIR"];

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = ""]) => first);

/** The cells of the rows of all tables whose first column has this heading. */
function rowsOfTable(text: string, heading: string): string[][] {
  const tables = [...text.matchAll(new RegExp(`^\\| ${heading}\\b.*\\n\\|[ :|-]+\\n((?:\\|.*\\n)+)`, "gm"))];
  return tables.flatMap(([, rows = ""]) =>
    rows
      .trim()
      .split("\n")
      .map((row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

const namesInTable = (text: string, heading: string) =>
  rowsOfTable(text, heading).flatMap(([first = ""]) => matches(first, /`([^`]+)`/g));

const isForMaintainers = (page: string) =>
  /^docs\/(architecture|decisions)\/|^(ARCHITECTURE|CONTRIBUTING)/.test(page);
/** What stands in backticks and has the ending of a source file, with a folder or without. */
const pathsIn = (text: string) => matches(text, /`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|sql|css))`/g);
const fileNamesIn = (text: string) => matches(text, /`([\w.-]+\.(?:tsx?|sql|css))`/g);

/** Documents name sources by their path from the root, from a package's sources, or from the folder of a slice. */
const SOURCE_FOLDERS = [
  "",
  "packages/server/src",
  "packages/dashboard/src",
  "packages/sdk/src",
  "packages/cli/src",
];
const sourceExists = (path: string) =>
  path.includes("NNNN") || SOURCE_FOLDERS.some((folder) => existsSync(join(ROOT, folder, path)));

const linksOf = (text: string) =>
  [...text.replaceAll(/```.*?```/gs, "").matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? "")
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
