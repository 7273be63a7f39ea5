import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/* What the image promises, read from its recipe; `node scripts/image-steps.mjs` goes through the steps themselves. */

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const dockerfile = read("deploy/Dockerfile");
const lines = dockerfile.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
const workspaces = (JSON.parse(read("package.json")) as { workspaces: string[] }).workspaces;

describe("the image", () => {
  it("runs as an ordinary user, on the health endpoint that the server has", () => {
    expect(lastStage.indexOf("USER node")).toBeGreaterThan(-1);
    expect(lastStage.findIndex((line) => line.startsWith("CMD"))).toBeGreaterThan(
      lastStage.indexOf("USER node"),
    );
    expect(lastStage.some((line) => line.startsWith("HEALTHCHECK") && line.includes("/api/health`"))).toBe(
      true,
    );
    // Not through a shell or npm: neither passes signals on.
    expect(lastStage.at(-1)).toBe('CMD ["node", "server/dist/main.js"]');
  });

  it("is built on a supported Node.js and leaves what only builds need behind", () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-[a-z]+-slim$/m);
    expect(dockerfile).toContain("--omit=dev");
    expect(lastStage.filter((line) => line.startsWith("RUN"))).toEqual([]);
    const sources = lastStage.filter((line) => line.startsWith("COPY") && line.includes("/src/"));
    expect(sources.map((line) => line.split(" ").at(-1))).toEqual([
      "server/src/db/migrations",
      "server/src/reference/api.css",
    ]);
  });

  it("installs from the lockfile, with every workspace's package file there", () => {
    for (const [, command] of dockerfile.matchAll(/RUN npm (\w+)/g)) expect(["ci", "run"]).toContain(command);
    for (const workspace of workspaces)
      expect(lines).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  it("gets nothing that is not named: no secrets, no modules, no tests", () => {
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
  it("asks for a password instead of bringing one, and listens on this machine alone", () => {
    expect(compose.match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2);
    expect(compose).toMatch(/- "127\.0\.0\.1:/);
    expect(compose).not.toMatch(/5432:5432/);
  });

  it("passes on settings that the server knows", () => {
    const known = read("docs/configuration.md");
    const [, environment = ""] = /server:[\s\S]*?environment:\n([\s\S]*?)\n {4}ports:/.exec(compose) ?? [];
    const names = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) expect(known).toContain(`\`${name}\``);
  });

  it("gives the server longer to stop than it takes at most", () => {
    const [, longestMs = "0"] = /LONGEST_STOP_MS = ([\d_]+)/.exec(read("server/src/main.ts")) ?? [];
    const [, seconds = "0"] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(Number(longestMs.replaceAll("_", "")));
  });
});

it("no guide names a file of deploy/ that is not there", () => {
  const files = readdirSync(join(import.meta.dirname, "deploy"));
  const guide = read("docs/self-hosting.md");
  for (const [, name = ""] of guide.matchAll(/deploy\/([\w.-]+)/g))
    if (name !== ".env") expect(files).toContain(name);
});
