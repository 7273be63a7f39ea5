import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/* Checks the text of the Dockerfile and the compose file; `node scripts/image-steps.mjs` runs the build steps. */

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const dockerfile = read("deploy/Dockerfile");
const lines = dockerfile.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
const workspaces = (JSON.parse(read("package.json")) as { workspaces: string[] }).workspaces;

describe("the image", () => {
  it("runs as an unprivileged user and checks the health endpoint of the server", () => {
    expect(lastStage.indexOf("USER node")).toBeGreaterThan(-1);
    expect(lastStage.findIndex((line) => line.startsWith("CMD"))).toBeGreaterThan(
      lastStage.indexOf("USER node"),
    );
    expect(lastStage.some((line) => line.startsWith("HEALTHCHECK") && line.includes("/api/health`"))).toBe(
      true,
    );
    // No shell and no npm, because they do not forward signals.
    expect(lastStage.at(-1)).toBe('CMD ["node", "--max-semi-space-size=8", "server/dist/main.js"]');
  });

  it("uses a supported Node.js and contains no build dependencies", () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-[a-z]+-slim$/m);
    expect(dockerfile).toContain("--omit=dev");
    expect(lastStage.filter((line) => line.startsWith("RUN"))).toEqual([]);
    const sources = lastStage.filter((line) => line.startsWith("COPY") && line.includes("/src/"));
    expect(sources.map((line) => line.split(" ").at(-1))).toEqual([
      "server/src/db/migrations",
      "server/src/reference/api.css",
    ]);
  });

  it("installs from the lockfile, with the package.json of every workspace", () => {
    for (const [, command] of dockerfile.matchAll(/RUN npm (\w+)/g)) expect(["ci", "run"]).toContain(command);
    for (const workspace of workspaces)
      expect(lines).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  it("receives only the files it needs: no secrets, no node_modules, no tests", () => {
    const rules = read(".dockerignore").split("\n");
    expect(rules.find((rule) => rule !== "" && !rule.startsWith("#"))).toBe("*");
    for (const rule of ["**/node_modules", "**/.env*", "**/dist"]) expect(rules).toContain(rule);
    for (const [, name = ""] of dockerfile.matchAll(/^COPY (?!--from)([a-z]+)/gm))
      expect(
        rules.some((rule) => rule.startsWith(`!${name}`)),
        name,
      ).toBe(true);
  });
});

describe("the compose file", () => {
  const compose = read("deploy/compose.yaml");
  it("requires a password and listens on this machine only", () => {
    expect(compose.match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2);
    expect(compose).toMatch(/- "127\.0\.0\.1:/);
    expect(compose).not.toMatch(/5432:5432/);
  });

  it("passes only documented settings to the server", () => {
    const known = read("docs/configuration.md");
    const [, environment = ""] = /server:[\s\S]*?environment:\n([\s\S]*?)\n {4}ports:/.exec(compose) ?? [];
    const names = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) expect(known).toContain(`\`${name}\``);
  });

  it("gives the server more time to stop than its own timeout", () => {
    const [, stopTimeoutMs = ""] = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read("server/src/main.ts")) ?? [];
    const [, graceSeconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
    expect(stopTimeoutMs).not.toBe("");
    expect(Number(graceSeconds) * 1_000).toBeGreaterThan(Number(stopTimeoutMs.replaceAll("_", "")));
  });
});

it("the self-hosting guide names only existing files of deploy/", () => {
  const files = readdirSync(join(import.meta.dirname, "deploy"));
  const guide = read("docs/self-hosting.md");
  for (const [, name = ""] of guide.matchAll(/deploy\/([\w.-]+)/g))
    if (name !== ".env") expect(files).toContain(name);
});
