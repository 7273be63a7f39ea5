import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checksums, releaseFaults, releaseNotes, withAbsoluteLinks } from "./scripts/release-files.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

describe("a release", () => {
  it("has one version everywhere, a section of the changelog, and upgrade notes", () => {
    expect(releaseFaults()).toEqual([]);
    expect(releaseNotes(version)).toMatch(/^### /);
    expect(releaseNotes("9.9.9")).toBe("");
  });

  it("has notes whose links lead to the files of that version", () => {
    expect(withAbsoluteLinks("[a](docs/a.md#b), [c](https://c.example)", "https://host/blob/v1")).toBe(
      "[a](https://host/blob/v1/docs/a.md#b), [c](https://c.example)",
    );
  });

  it("has checksums that sha256sum can check", () => {
    expect(checksums({ "a.tgz": Buffer.from("a") })).toBe(
      "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.tgz\n",
    );
  });

  it("is published by the workflow of a tag, after every check, with provenance", () => {
    interface Workflow {
      on: { push: { tags: string[] } };
      jobs: { publish: { permissions: Record<string, string>; steps: { run?: string }[] } };
    }
    const { on, jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
    expect(on).toEqual({ push: { tags: ["v*.*.*"] } });
    expect(jobs.publish.permissions["id-token"]).toBe("write");
    const commands = jobs.publish.steps.flatMap(({ run }) => run ?? []);
    expect(commands.indexOf("bash .ci/run")).toBeGreaterThan(-1);
    expect(commands.indexOf("npm run release -- --skip-checks")).toBeGreaterThan(
      commands.indexOf("bash .ci/run"),
    );
    expect(read("scripts/release.ts")).toContain('"--provenance"');
  });
});
