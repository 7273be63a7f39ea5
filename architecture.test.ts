import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { SLICES } from "./server/src/app.ts";

/*
 * The rules of the house (ARCHITECTURE.md), checked on the sources' own text. Every rule is shown below to go red
 * on a made-up tree that breaks it.
 */

/** Source files by their path from the project's root. */
type Tree = Record<string, string>;

const PACKAGES = ["contract", "demo", "server", "sdk", "cli", "dashboard"];
/** From the top one down: each imports only those below it. */
const FLOORS = ["http", "db", "concurrency"];
/** Files at the top of server/src: they put the house together and may see all of it. */
const isTop = (path: string) => /^server\/src\/[^/]+\.ts$/.test(path);
const isCode = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && /^[a-z]+\/src\//.test(path);
const packageOf = (path: string) => path.split("/")[0] ?? "";
const sliceOf = (path: string) => /^server\/src\/([^/]+)\//.exec(path)?.[1];

function importsOf(text: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^"';]*?from\s*["']([^"']+)["']/gm,
    /^\s*import\s*["']([^"']+)["']/gm,
    /\bimport\(\s*["']([^"']+)["']/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target]) => target ?? ""));
}

function edgesOf(tree: Tree) {
  return Object.entries(tree).flatMap(([from, text]) =>
    importsOf(text).map((target) => ({
      from,
      target,
      to: target.startsWith(".") ? normalize(join(dirname(from), target)) : undefined,
    })),
  );
}

/** What breaks the rules, one line each. */
function violations(tree: Tree, order: string[]): string[] {
  const code = Object.fromEntries(Object.entries(tree).filter(([path]) => isCode(path)));
  return [
    ...packageFaults(code),
    ...sliceFaults(code, order),
    ...environmentFaults(code),
    ...tableFaults(code),
    ...cycles(code),
  ];
}

function packageFaults(code: Tree): string[] {
  return edgesOf(code).flatMap(({ from, target, to }) => {
    const own = packageOf(from);
    const other = to
      ? packageOf(to)
      : PACKAGES.find((name) => target === `@whytrace/${name}` || target.startsWith(`@whytrace/${name}/`));
    if (own === "contract" && other !== "contract")
      return [`${from} imports ${target}: contract imports nothing`];
    if (own === "demo" && !other) return [`${from} imports ${target}: demo runs in a browser, too`];
    if (own === "sdk" && !to && other !== "contract")
      return [`${from} imports ${target}: the SDK has no dependency`];
    if (!other || other === own || other === "contract") return [];
    if (own === "cli" && other === "server") return [];
    if ((own === "cli" || own === "dashboard") && other === "demo") return [];
    return [`${from} imports ${target}: packages meet only in contract`];
  });
}

function sliceFaults(code: Tree, order: string[]): string[] {
  const faults = edgesOf(code).flatMap(({ from, to }) => {
    const [own, other] = [sliceOf(from), to && sliceOf(to)];
    if (!own || !to || own === other) return [];
    if (other === undefined)
      return to === "server/src/config.ts" ? [] : [`${from} imports ${to}: only the top sees the top`];
    if (FLOORS.includes(other))
      return FLOORS.indexOf(own) < FLOORS.indexOf(other)
        ? []
        : [`${from} imports ${to}: ${own} is a floor below ${other}`];
    if (FLOORS.includes(own)) return [`${from} imports ${to}: a floor imports no slice`];
    return order.indexOf(other) < order.indexOf(own)
      ? []
      : [`${from} imports ${to}: ${other} does not come before ${own} in app.ts`];
  });
  const folders = new Set(Object.keys(code).flatMap((path) => sliceOf(path) ?? []));
  const unlisted = [...folders].filter((folder) => !FLOORS.includes(folder) && !order.includes(folder));
  return [...faults, ...unlisted.map((folder) => `server/src/${folder} is not listed in app.ts`)];
}

function environmentFaults(code: Tree): string[] {
  return Object.entries(code)
    .filter(
      ([path, text]) =>
        !/^[a-z]+\/src\/config\.ts$/.test(path) && /process\s*\.\s*env|from "node:process"/.test(text),
    )
    .map(([path]) => `${path} reads process.env: only a package's config.ts does`);
}

function tableFaults(code: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(code))
    for (const [, table] of text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]{3,})\b/g)) {
      const slice = sliceOf(path) ?? path;
      if (table && /_|s$/.test(table)) writers.set(table, (writers.get(table) ?? new Set()).add(slice));
    }
  return [...writers]
    .filter(([, slices]) => slices.size > 1)
    .map(([table, slices]) => `${table} is written by ${[...slices].join(" and ")}`);
}

function cycles(code: Tree): string[] {
  const edges = edgesOf(code);
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (state.get(path) === "open")
      found.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
    if (state.has(path)) return;
    state.set(path, "open");
    for (const { from, to } of edges) if (from === path && to && to in code) visit(to, [...trail, path]);
    state.set(path, "done");
  };
  for (const path of Object.keys(code)) visit(path, []);
  return found;
}

function readTree(folder: string, root = folder): Tree {
  const tree: Tree = {};
  for (const name of readdirSync(folder)) {
    if (name === "node_modules" || name === "dist" || name.startsWith(".")) continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) Object.assign(tree, readTree(path, root));
    else if (isCode(path.slice(root.length + 1)))
      tree[path.slice(root.length + 1)] = readFileSync(path, "utf8");
  }
  return tree;
}

describe("the house", () => {
  it("keeps its rules", () => {
    const tree = readTree(import.meta.dirname);
    expect(Object.keys(tree).length).toBeGreaterThan(40);
    expect(Object.keys(tree).some(isTop)).toBe(true);
    expect(violations(tree, SLICES)).toEqual([]);
  });
});

describe("a rule goes red when", () => {
  const order = ["auth", "accounts"];
  it.each<[string, Tree, RegExp]>([
    [
      "contract imports anything",
      { "contract/src/a.ts": 'import { z } from "zod";' },
      /contract imports nothing/,
    ],
    [
      "demo imports what a browser lacks",
      { "demo/src/a.ts": 'import { readFileSync } from "node:fs";' },
      /demo runs in a browser/,
    ],
    [
      "the command line imports the sdk",
      { "cli/src/a.ts": 'import { x } from "@whytrace/sdk";' },
      /packages meet only in contract/,
    ],
    [
      "server imports the demo data",
      { "server/src/a.ts": 'import { x } from "@whytrace/demo";' },
      /packages meet only in contract/,
    ],
    [
      "server imports the sdk",
      { "server/src/a.ts": 'import { x } from "@whytrace/sdk";' },
      /packages meet only in contract/,
    ],
    [
      "the sdk imports a package, even Node.js's own",
      { "sdk/src/a.ts": 'import { AsyncLocalStorage } from "node:async_hooks";' },
      /the SDK has no dependency/,
    ],
    [
      "the dashboard reaches into server",
      { "dashboard/src/a.ts": 'import "../../server/src/b.ts";' },
      /packages meet only in contract/,
    ],
    [
      "a floor imports a slice",
      { "server/src/http/a.ts": 'import { x } from "../auth/b.ts";', "server/src/auth/b.ts": "" },
      /a floor imports no slice/,
    ],
    [
      "a floor imports the one above it",
      { "server/src/concurrency/a.ts": 'import { x } from "../db/b.ts";', "server/src/db/b.ts": "" },
      /concurrency is a floor below db/,
    ],
    [
      "a slice imports a later one",
      { "server/src/auth/a.ts": 'export * from "../accounts/b.ts";', "server/src/accounts/b.ts": "" },
      /accounts does not come before auth/,
    ],
    ["a slice is not in the table of contents", { "server/src/otlp/a.ts": "" }, /otlp is not listed/],
    [
      "the environment is read elsewhere",
      { "server/src/http/a.ts": "const port = process.env.PORT;" },
      /reads process.env/,
    ],
    [
      "two slices write one table",
      {
        "server/src/auth/a.ts": "sql`delete from sessions`",
        "server/src/accounts/b.ts": "sql`update sessions set x`",
      },
      /sessions is written by auth and accounts/,
    ],
    [
      "imports run in a circle",
      { "server/src/http/a.ts": 'import "./b.ts";', "server/src/http/b.ts": 'await import("./a.ts");' },
      /import cycle/,
    ],
  ])("%s", (_, tree, fault) => {
    expect(violations(tree, order).join("\n")).toMatch(fault);
  });

  it("and stays green for what is allowed", () => {
    const tree: Tree = {
      "contract/src/a.ts": 'import "./b.ts";',
      "cli/src/a.ts": 'import { start } from "@whytrace/server";\nimport { x } from "@whytrace/demo";',
      "dashboard/src/a.ts": 'import("@whytrace/demo");',
      "demo/src/a.ts": 'import type { Span } from "@whytrace/contract";',
      "sdk/src/a.ts": 'import { parseBatch } from "@whytrace/contract";\nimport "./b.ts";',
      "server/src/http/a.ts": 'import { config } from "../config.ts";\nimport "../db/x.ts";',
      "server/src/auth/a.ts": 'import "../http/a.ts";',
      "server/src/accounts/b.ts":
        'import type { A } from "../auth/a.ts";\nimport { T } from "@whytrace/contract";',
    };
    expect(violations(tree, order)).toEqual([]);
  });
});
