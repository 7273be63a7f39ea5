import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
}

const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");

const manifestOf = (folder: string): Manifest => JSON.parse(readText(`${folder}/package.json`));

/** What keeps this checkout from being released; empty if nothing does. */
export function releaseFaults(): string[] {
  const root = manifestOf(".");
  const packages = (root.workspaces ?? []).map(manifestOf);
  const lock: { packages: Record<string, { version?: string }> } = JSON.parse(readText("package-lock.json"));
  return [
    ...packages
      .filter(({ version }) => version !== root.version)
      .map(({ name, version }) => `${name} has the version ${version}, the workspace ${root.version}`),
    ...packages.flatMap(({ name, dependencies = {} }) =>
      Object.entries(dependencies)
        .filter(([other, version]) => other.startsWith("@whytrace/") && version !== root.version)
        .map(([other, version]) => `${name} depends on ${other} ${version}`),
    ),
    ...(root.workspaces ?? [])
      .filter((folder) => lock.packages[folder]?.version !== root.version)
      .map((folder) => `package-lock.json has another version of ${folder}`),
    ...(releaseNotes(root.version) === "" ? [`CHANGELOG.md has no section ${root.version}`] : []),
    ...(readText("docs/upgrading.md").includes(`to ${minorOf(root.version)}\n`)
      ? []
      : [`docs/upgrading.md has no notes for ${minorOf(root.version)}`]),
  ];
}

interface ReleaseTexts {
  changelog: string;
  /** `packages/contract/src/install.ts`. */
  install: string;
  readme: string;
}

/** What the packages would say that is not true once they are published; a dry run may have such faults. */
export function publicationFaults(
  version = manifestOf(".").version,
  texts: ReleaseTexts = {
    changelog: readText("CHANGELOG.md"),
    install: readText("packages/contract/src/install.ts"),
    readme: readText("README.md"),
  },
): string[] {
  const heading = texts.changelog.split("\n").find((line) => line.startsWith(`## [${version}]`)) ?? "";
  return [
    ...(/^## \[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading)
      ? []
      : [`CHANGELOG.md has no date at ${version}: "${heading}"`]),
    ...(/\bIS_PUBLISHED\b.*= true;/.test(texts.install)
      ? []
      : [
          "packages/contract/src/install.ts does not set IS_PUBLISHED: the pages say that packages are not on the registry",
        ]),
    ...(texts.readme.includes("not published yet") ? ["README.md says that it is not published yet"] : []),
  ];
}

const minorOf = (version: string) => version.split(".").slice(0, 2).join(".");

/** The section of the changelog, without its heading. */
export function releaseNotes(version: string): string {
  const changelog = readText("CHANGELOG.md");
  const [, section = ""] = changelog.split(new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\].*$`, "m"));
  return (section.split(/^## /m)[0] ?? "").trim();
}

/** The notes as a page elsewhere shows them: links to files of this repository lead to the released version. */
export const withAbsoluteLinks = (notes: string, files: string): string =>
  notes.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/g, `](${files}/$1)`);

/** Lines as `sha256sum --check` reads them. */
export const checksums = (files: Record<string, Buffer>): string =>
  Object.entries(files)
    .map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`)
    .join("");
