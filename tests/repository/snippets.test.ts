import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSender, trace as sampleTrace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseCommand } from "../../packages/cli/src/command.ts";
import { COMMANDS } from "../../packages/cli/src/run.ts";
import { readConfig } from "../../packages/server/src/config.ts";

/*
 * Every block of code of the documentation is run, or checked as far as this machine can, or listed with the reason why not. The
 * programs of the guides of OpenTelemetry and of the start page run in tests of their own.
 */

const ROOT = join(import.meta.dirname, "../..");

interface Block {
  /** Page and number, which name a block in a message. */
  name: string;
  language: string;
  code: string;
}

const blocks: Block[] = globSync(["docs/*.md", "docs/!(renderer|skills)/**/*.md"], { cwd: ROOT })
  .sort()
  .flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/^( *)```(\w*)[^\n]*\n(.*?)^ *```/gms)].map(
      ([, indent = "", language = "", code = ""], index) => ({
        name: `${page} ${index + 1}`,
        language,
        code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      }),
    ),
  );

/** Commands that need what a test does not have, each matched by itself. Their syntax is checked. */
const NOT_RUN: [pattern: RegExp, reason: string][] = [
  [
    /opentelemetry-collector/,
    "needs a collector, which neither npm nor Debian has; start-page.test.ts checks that its pipelines name what it defines",
  ],
  [/^(docker|for image in)\b|docker compose/, "needs a container runtime"],
  [/^kubectl\b/, "needs a cluster; deploy/kubernetes.test.ts checks its files"],
  [
    /^(apt-get|adduser|systemctl|install|cp|ln|runuser|createdb|psql|pg_dump|journalctl|certbot|nginx|haproxy)\b|^(\$ )?echo "\w+=/,
    "changes the machine",
  ],
  [/pgbackrest/, "runs in the trial restore"],
  [/patronictl|etcdctl|patroni/, "runs in the trial failover"],
  [/^(claude|codex)\b|claude mcp/, "needs an assistant of another vendor"],
  [/^\$ .*(psql|sudo|pgbackrest) |^whytrace\(\)/, "needs a server that is installed"],
  [
    /^(\$ )?(cd \/opt\S* && )?(\S+=\S+ )*(npm (ci|run|start|install|--prefix)|(node_modules\/\.bin\/)?node packages\/(server|cli)|npx vitest|node --cpu-prof|createdb)/,
    "is the gate, or runs until it is stopped",
  ],
  [/^git (clone|pull)/, "runs in npm run first-minute, or needs a remote repository"],
  [
    /^(\$ )?node agent\.mjs|^mkdir -p \.claude|^cd deploy/,
    "is run with the program above it, or copies a file",
  ],
  [/^sed |^for name in RESTAPI/, "runs in the test below"],
];

/** The server looks the address up, and accepts only public ones. */
const NEEDS_NETWORK = /hooks\.slack\.com/;
/** The server answers these requests once the site is built. */
const NEEDS_SITE = /\/docs\/skill\//;
const isSiteBuilt = existsSync(new URL("../../docs/renderer/dist", import.meta.url));
const STREAMS = /\/api\/stream\b/;

const fromShell = (block: Block) => block.language === "sh" || block.language === "console";
/** Loops and functions, whose lines are one command. */
const COMPOUND = /^(for [^\n]*; do\n.*?^done|\w+\(\) \(\n.*?^\))$/gms;
/** Commands of a block: its lines in a shell script, those after the prompt in a session. Lines that continue are one. */
function commandsOf({ language, code }: Block): string[] {
  const joined = code
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(COMPOUND, (whole) => whole.replaceAll(/\n\s*/g, " ; "));
  if (language === "console") return [...joined.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  const [first = "", ...rest] = joined.split("\n");
  const isOne = first.startsWith("curl ") && first.split("'").length % 2 === 0;
  return isOne ? [joined] : [first, ...rest];
}

const METRICS_TOKEN = "snippets-metrics-token";
// The documents write paths as a reader with one workspace does.
const booted = await boot({ METRICS_TOKEN }, { memberships: 1 });
const user = await newSender(booted.client, booted.db);
const folder = mkdtempSync(join(tmpdir(), "whytrace-snippets-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function variables(): Promise<Record<string, string>> {
  const trace = sampleTrace({ id: "snippets-run" });
  await user.send([trace]);
  const read = await user.post("/api/keys", { name: "snippets", scope: "read" });
  const { hostname } = new URL(booted.server.url);
  const [name = "", value = ""] = (user.cookie ?? "").split("=");
  writeFileSync(
    join(folder, "cookies.txt"),
    `# Netscape HTTP Cookie File\n${[hostname, "FALSE", "/", "FALSE", "0", name, value].join("\t")}\n`,
  );
  return {
    PATH: process.env.PATH ?? "",
    URL: booted.server.url,
    WHYTRACE_URL: booted.server.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: booted.server.url,
    WHYTRACE_API_KEY: user.key,
    WHYTRACE_READ_KEY: read.json.key,
    COOKIE: user.cookie ?? "",
    COOKIES: user.cookie ?? "",
    SESSION: user.cookie ?? "",
    TOKEN: value,
    METRICS_TOKEN,
    ID: "snippets-run",
    TRACE_ID: "snippets-run",
  };
}

describe("the documentation's", () => {
  it("requests are answered by the server as they stand", async () => {
    const env = await variables();
    const { json } = await user.get("/api/workspaces");
    const failed: string[] = [];
    const requests = blocks.filter(fromShell).flatMap((block) =>
      commandsOf(block)
        .filter((command) => command.startsWith("curl ") && !NEEDS_NETWORK.test(command))
        .filter((command) => isSiteBuilt || !NEEDS_SITE.test(command))
        .map((command) => ({ name: block.name, command })),
    );
    expect(requests.length).toBeGreaterThan(15);
    for (const { name, command } of requests) {
      const own = command
        .replaceAll(
          /https?:\/\/(localhost:3000|127\.0\.0\.1:3000|whytrace\.example(\.com)?)/g,
          booted.server.url,
        )
        .replaceAll("/w/k3v9q2mxab", `/w/${json.workspaces[0].slug}`)
        .replace(/ \|[^|]*$/, "")
        .replace(/^curl /, `curl -sS --max-time ${STREAMS.test(command) ? 1 : 30} -w '\\n%{http_code}' `);
      const answer = await new Promise<string>((resolve) => {
        execFile("bash", ["-c", own], { cwd: folder, env }, (_error, stdout) => resolve(stdout));
      });
      if (!/\n2\d\d$/.test(answer)) failed.push(`${name}: ${command.slice(0, 100)}: ${answer.slice(-200)}`);
    }
    expect(failed).toEqual([]);
  });

  it("commands of whytrace have names and options that exist", () => {
    const calls = blocks.filter(fromShell).flatMap((block) =>
      commandsOf(block).flatMap((command) =>
        [
          ...command.matchAll(
            /(?:npx whytrace|cli\/bin\/whytrace\.js|^whytrace) ([^|>#;)"]*(?:"[^"]*"[^|>#;)"]*)*)/g,
          ),
        ]
          // A file for standard input belongs to the shell, and "$@" to a function that passes on a command.
          .map(([, text = ""]) => ({ name: block.name, text: text.trim().replace(/ < \S+$/, "") }))
          .filter(({ text }) => text !== '"$@"'),
      ),
    );
    expect(calls.length).toBeGreaterThan(60);
    const wrong = calls.flatMap(({ name, text }) => {
      const args = [...text.trim().matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, double, single, plain]) => double ?? single ?? plain ?? "",
      );
      const [command] = COMMANDS.filter(
        (one) => one.name === args.slice(0, one.name.split(" ").length).join(" "),
      ).sort((one, other) => other.name.length - one.name.length);
      if (!command) return args[0] === "--version" ? [] : [`${name}: ${text}`];
      try {
        parseCommand(command, args.slice(command.name.split(" ").length));
        return [];
      } catch (error) {
        return [`${name}: ${text}: ${String(error)}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it("settings are accepted by the server", () => {
    const settings = blocks.filter(
      ({ language, code }) =>
        language === "sh" && /^([A-Z_]+=.*\n)+$/.test(code.replaceAll(/^(#.*)?\n/gm, "")),
    );
    expect(settings.length).toBeGreaterThan(5);
    const refused = settings.flatMap(({ name, code }) => {
      const lines = [...code.matchAll(/^([A-Z_]+)=(.*?)(?:\s+#.*)?$/gm)].map(([, key = "", value = ""]) => [
        key,
        value
          .replace("$(openssl rand -base64 32)", Buffer.alloc(32, 1).toString("base64"))
          .replaceAll(/^["']|["']$/g, ""),
      ]);
      try {
        readConfig({ DATABASE_URL: "postgres://127.0.0.1/x", ...Object.fromEntries(lines) });
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(refused).toEqual([]);
  });

  it("JSON and YAML can be read", () => {
    const broken = blocks.flatMap(({ name, language, code }) => {
      if (language !== "json" && language !== "yaml") return [];
      try {
        if (language === "json") JSON.parse(code.replaceAll("…", "").replaceAll(/,\s*([\]}])/g, "$1"));
        else parse(code);
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(broken).toEqual([]);
  });

  it("programs can be read, and import only what the SDK exports", async () => {
    const wrong: string[] = [];
    for (const { name, code } of blocks.filter(({ language }) => /^(js|ts)$/.test(language))) {
      if (/options\?|\.\.\. \}/.test(code) || name.startsWith("docs/reference/")) continue;
      // A part of a function, or of an object.
      const errors = [code, `async () => {\n${code}\n}`, `({ ${code} })`].map(syntaxError);
      if (!errors.includes(undefined)) wrong.push(`${name}: ${errors[0]}`);
      for (const [, names = "", entry = ""] of code.matchAll(
        /import \{([^}]*)\} from "(@whytrace\/sdk[^"]*)"/g,
      )) {
        const exported = Object.keys(await import(entry));
        const unknown = names
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== "" && !exported.includes(one));
        if (unknown.length > 0) wrong.push(`${name}: ${entry} has no ${unknown.join(", ")}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("other commands are listed with the reason why they are not run", () => {
    const unlisted = blocks.filter(fromShell).flatMap((block) =>
      commandsOf(block)
        .filter(
          (command) =>
            !/^(#|\s|$|curl |export |[A-Z_]+=("[^"]*"|\$\([^)]*\)|\S*(<[^>]*>\S*)?)(\s+#.*)?$|(\w+="?[^ ]* )?(npx whytrace|node cli\/bin\/whytrace\.js|whytrace) )/.test(
              command,
            ),
        )
        .filter((command) => !NOT_RUN.some(([pattern]) => pattern.test(command)))
        .map((command) => `${block.name}: ${command}`),
    );
    expect(unlisted).toEqual([]);
  });

  it("commands that fill in the files of high availability leave no placeholder in them", () => {
    const files = join(folder, "high-availability");
    cpSync(join(ROOT, "deploy/high-availability"), files, { recursive: true });
    const commands = blocks
      .filter(({ name }) => name.startsWith("docs/operating/high-availability.md"))
      .flatMap(({ code }) => code.match(/^(for name in [\s\S]*?^done|sed .*)$/gm) ?? []);
    expect(commands).toHaveLength(4);
    const script = commands.join("\n").replaceAll(/> \/etc\/(etcd|default|patroni)\S*/g, ">> filled");
    const { status, stderr } = spawnSync("bash", ["-e", "-c", script], { cwd: files, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const filled = readFileSync(join(files, "filled"), "utf8");
    expect(filled).toContain("10.0.0.11");
    expect(filled).not.toMatch(/\bNODE\b|\bADDRESS\b|_PASSWORD\b/);
  });

  it("shell scripts have no error of syntax", () => {
    const scripts = blocks.filter(({ language, code }) => language === "sh" && !/[…<]/.test(code));
    expect(scripts.length).toBeGreaterThan(80);
    // One shell reads all of them: an error names the line after a comment with the name of the block.
    const all = scripts.map(
      ({ name, code }) => `# ${name}\nblock() {\n${code.replaceAll(/^\$ /gm, "")}\n:\n}\n`,
    );
    const { stderr } = spawnSync("bash", ["-n"], { input: all.join(""), encoding: "utf8" });
    expect(stderr).toBe("");
  });
});

function syntaxError(code: string): string | undefined {
  try {
    stripTypeScriptTypes(code);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
