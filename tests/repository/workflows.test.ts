import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOWS = globSync(".github/workflows/*.yml", { cwd: ROOT }).map((path) => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const { permissions, jobs } = parse(text) as { permissions: unknown; jobs: Record<string, Job> };
  return { path, text, permissions, jobs: Object.entries(jobs) };
});
/** What starts code that is installed, and not part of this repository. */
const RUNS_DEPENDENCIES = /\bnpm (ci|install|run|test|exec)\b|\bnpx\b|\.ci\/run\b/;

describe("the workflows", () => {
  it("are those of pull requests, of the night and of a release", () => {
    expect(WORKFLOWS.map(({ path }) => path).sort()).toEqual([
      ".github/workflows/ci.yml",
      ".github/workflows/nightly.yml",
      ".github/workflows/release.yml",
    ]);
  });

  it.each(WORKFLOWS)("$path pins each action by a commit, with its version beside it", ({ text, jobs }) => {
    const lines = text.split("\n").filter((line) => /\buses:/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const used = jobs.flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used).toHaveLength(lines.length);
  });

  it.each(WORKFLOWS)("$path gives each job its own rights, and none by default", ({ permissions, jobs }) => {
    expect(permissions).toEqual({});
    for (const [name, job] of jobs) expect(job.permissions, name).toBeDefined();
  });

  it.each(WORKFLOWS)("$path runs no dependency where something may be written", ({ jobs }) => {
    for (const [name, { permissions, steps }] of jobs) {
      if (!Object.values(permissions ?? {}).includes("write")) continue;
      for (const { run = "" } of steps) expect(run, name).not.toMatch(RUNS_DEPENDENCIES);
    }
  });

  it.each(WORKFLOWS)("$path leaves no credentials in a checkout", ({ jobs }) => {
    const checkouts = jobs.flatMap(([, { steps }]) =>
      steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")),
    );
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ "persist-credentials": false });
  });

  it("run the parts of .ci/run, which together are all of it", () => {
    const commands = (file: string) =>
      WORKFLOWS.filter(({ path }) => path.endsWith(file)).flatMap(({ jobs }) =>
        jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? [])),
      );
    expect(commands("ci.yml")).toContain('bash .ci/run "$' + '{{ matrix.part }}"');
    expect(commands("nightly.yml")).toEqual(["bash .ci/run nightly"]);
    const ci = parse(readFileSync(join(ROOT, ".github/workflows/ci.yml"), "utf8"));
    const parts = readFileSync(join(ROOT, "tools/check.ts"), "utf8").matchAll(/^ {2}\["(\w+)", \[/gm);
    expect(ci.jobs.gate.strategy.matrix.part).toEqual(Array.from(parts, ([, part]) => part));
  });

  it("publish with a script that imports nothing installed", () => {
    const seen = ["tools/publish.ts"];
    for (const path of seen) {
      const source = readFileSync(join(ROOT, path), "utf8");
      for (const [, name = ""] of source.matchAll(/from "([^"]+)"/g)) {
        expect(name).toMatch(/^(node:|\.\/)/);
        if (name.startsWith("./")) seen.push(join("tools", name));
      }
    }
    expect(seen.length).toBeGreaterThan(1);
  });
});
