// Tests the container image without a container engine: runs each stage of deploy/Dockerfile in its own folder, with the
// files that .dockerignore allows. If DATABASE_URL is set, starts the command of CMD and runs the HEALTHCHECK.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = join(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "whytrace-image-"));
const context = join(work, "context");
const port = process.env.IMAGE_PORT ?? "18300";
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"))),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

let server;
try {
  copyContext();
  const { folder, command, healthcheck } = await buildStages(
    parseInstructions(readFileSync(join(root, "deploy/Dockerfile"), "utf8")),
  );
  const bytes = globSync("**/*", { cwd: folder }).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
  console.log(`image size without the base image: ${(bytes / 2 ** 20).toFixed(0)} MiB`);
  if (process.env.DATABASE_URL) await startAndCheck(folder, command, healthcheck);
} finally {
  server?.kill("SIGTERM");
  if (server && server.exitCode === null) await once(server, "exit");
  rmSync(work, { recursive: true, force: true });
}

function parseInstructions(text) {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [word, ...rest] = line.split(" ");
      return { word, rest: rest.join(" ") };
    });
}

/** Copies the files that .dockerignore allows: it excludes everything, includes some paths, and excludes parts of them. */
function copyContext() {
  const rules = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const included = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  const excluded = rules.filter((rule) => rule !== "*" && !rule.startsWith("!"));
  const isExcluded = (path) => excluded.some((rule) => globMatches(rule, path));
  for (const name of included)
    cpSync(join(root, name), join(context, name), {
      recursive: true,
      filter: (path) => !isExcluded(path.slice(root.length + 1)),
    });
  // For a test with another lockfile.
  const lockfile = process.env.IMAGE_LOCKFILE;
  if (lockfile) cpSync(lockfile, join(context, "package-lock.json"));
}

function globMatches(rule, path) {
  const parts = rule.split("**/").map((part) => part.replaceAll(".", "\\.").replaceAll("*", "[^/]*"));
  return new RegExp(`^${parts.join("(.*/)?")}$`).test(path);
}

async function buildStages(instructions) {
  const stages = new Map();
  let folder = "";
  let command;
  let healthcheck;
  for (const { word, rest } of instructions) {
    if (word === "FROM") folder = newStage(stages, rest);
    else if (word === "RUN") await timed(rest, () => run("sh", ["-c", rest], folder));
    else if (word === "COPY") copy(stages, folder, rest.split(" "));
    else if (word === "CMD") command = JSON.parse(rest);
    else if (word === "HEALTHCHECK") healthcheck = JSON.parse(rest.slice(rest.indexOf("[")));
    else if (!["ARG", "WORKDIR", "ENV", "USER", "EXPOSE"].includes(word))
      throw new Error(`Unsupported instruction ${word}`);
  }
  return { folder, command, healthcheck };
}

function newStage(stages, rest) {
  const [base, , name = "last"] = rest.split(" ");
  const folder = join(work, name);
  const from = stages.get(base);
  if (from) cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  else mkdirSync(folder);
  stages.set(name, folder);
  return folder;
}

function copy(stages, folder, words) {
  const from = words[0].startsWith("--from=") ? stages.get(words.shift().slice("--from=".length)) : context;
  const target = words.pop();
  for (const word of words) {
    const source = join(from, word.replace(/^\/app\//, from === context ? "" : "./"));
    if (!existsSync(source)) throw new Error(`${word} does not exist`);
    const isFolder = target.endsWith("/");
    cpSync(source, join(folder, target, isFolder ? basename(source) : ""), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

async function startAndCheck(folder, [, ...args], [, ...check]) {
  const environment = {
    PATH: env.PATH,
    DATABASE_URL: process.env.DATABASE_URL,
    PORT: port,
    NODE_ENV: "production",
    HOST: "0.0.0.0",
  };
  const startedAt = performance.now();
  server = spawn(process.execPath, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const deadline = Date.now() + 30_000; ; await sleep(200)) {
    const probe = spawn(process.execPath, check, { env: environment });
    if ((await once(probe, "exit"))[0] === 0) break;
    if (Date.now() > deadline || server.exitCode !== null)
      throw new Error("the server of the image did not become healthy within 30 s");
  }
  console.log(`healthy after ${Math.round(performance.now() - startedAt)} ms`);
  for (const path of ["/login", "/docs/api.css", "/api/openapi.json"]) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
    if (status !== 200) throw new Error(`${path} responds with ${status}`);
  }
  const link = [
    "packages/cli/dist/main.js",
    "admin",
    "link",
    "nobody@example.com",
    "--url",
    "http://localhost",
  ];
  const cli = spawn(process.execPath, link, { cwd: folder, env: environment, stdio: "ignore" });
  const [code] = await once(cli, "exit");
  if (code !== 4)
    throw new Error(`the command line in the image exited with ${code}, not with 4 (not found)`);
  console.log("the image contains the dashboard, the API reference and the command line");
}

async function timed(name, work) {
  const startedAt = performance.now();
  await work();
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  RUN ${name}`);
}

async function run(command, args, cwd) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} exited with ${code}`);
}
