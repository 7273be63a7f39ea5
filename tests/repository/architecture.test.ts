import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { SLICES } from "../../packages/server/src/app.ts";

/*
 * The rules of ARCHITECTURE.md, checked on the text of the sources. Below, each rule is broken once on a made-up tree, to
 * show that the check would notice.
 */

/** Source files by their path from the project's root. */
type Tree = Readonly<Record<string, string>>;

interface Import {
  from: string;
  /** As it is written. */
  target: string;
  /** The file, where the import is relative. */
  to: string | undefined;
  /** Erased by the compiler. */
  isType: boolean;
}

const PACKAGES = ["contract", "demo", "server", "sdk", "cli", "dashboard", "testing", "lab", "renderer"];
/** Each package may import contract and these. `testing` starts servers and clients, so it may import everything. */
const MAY_IMPORT: Readonly<Record<string, string[]>> = {
  cli: ["demo", "server"],
  // The dashboard shows pages of the documentation.
  dashboard: ["demo", "docs"],
  testing: PACKAGES,
  lab: PACKAGES,
};
/** Packages that are not shipped. */
const IS_FOR_TESTS = new Set(["testing", "lab"]);
/** Packages without the server. `testing` imports its sources: what only the two use belongs to the server. */
const CLIENT_PACKAGES = ["cli", "dashboard", "demo", "sdk"];
/** What contract exports although no client uses it. */
const EXPORTS_FOR_SERVER = [
  // Rows and the API reference are generated from the table of fields and its error texts; README from RUN_CLI and INSTALL_CLI.
  "CHILDREN",
  "ChildKind",
  "batchErrorTexts",
  "INSTALL_CLI",
  "RUN_CLI",
  // Parts of formats that clients read or write. A schema reads what these write, and computes a step as signDecision does.
  "hash32ToHex",
  "signatureToHex",
  "signDecision",
  "DecisionSignature",
  "SignedInput",
  "ruleSource",
];
/** Packages whose files may export what nobody here imports. */
const FREE_EXPORTS = ["sdk", "dashboard"];
/** Folders of the server that know nothing of the product, from the top down: each imports only those below it. */
const SERVER_FLOORS = ["http", "db", "concurrency"];
/** Files outside `db/` that know of clusters: the settings, and operations of the command line. */
const KNOW_CLUSTERS = ["config", "operator", "cluster-operator"].map(
  (name) => `packages/server/src/${name}.ts`,
);
/** What all features of the dashboard may import, from the bottom up. Every other folder at its top is a feature. */
const DASHBOARD_BASE = ["ui", "client", "shell"];
const LARGEST_FOLDER_SHARE = 0.2;
const MAX_SOURCES_PER_FOLDER = 25;

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isMigration = (path: string) => path.endsWith(".sql");
const isSource = (path: string) =>
  /\.(tsx?|css|sql)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path);
const isSchema = (path: string) => path.startsWith("packages/contract/src/schemas/");
const FOLDERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["contract", "demo", "server", "sdk", "cli", "dashboard"].map((name) => [name, `packages/${name}`]),
  ),
  renderer: "docs/renderer",
  testing: "tests/support",
  lab: "lab",
};
const packageOf = (path: string) => PACKAGES.find((name) => path.startsWith(`${FOLDERS[name]}/`)) ?? "";
const sliceOf = (path: string) => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
const dashboardFolderOf = (path: string) => /^packages\/dashboard\/src\/([^/]+)\//.exec(path)?.[1];

function importsOf(tree: Tree): Import[] {
  const patterns = [
    /^\s*(?:import|export)\b(?<type>\s+type\b)?[^"';]*?from\s*["'](?<target>[^"']+)["']/gm,
    /^\s*@?import\s*(?:url\()?\s*["'](?<target>[^"']+)["']/gm,
    /\bimport\(\s*["'](?<target>[^"']+)["']/g,
  ];
  return Object.entries(tree).flatMap(([from, text]) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ groups }) => {
        const target = groups?.target ?? "";
        const to = target.startsWith(".") ? normalize(join(dirname(from), target)) : undefined;
        return { from, target, to, isType: groups?.type !== undefined };
      }),
    ),
  );
}

/** What breaks the rules, one line each. */
function violations(tree: Tree, slices: string[]): string[] {
  const code = Object.fromEntries(
    Object.entries(tree).filter(([path]) => !isTest(path) && !isMigration(path)),
  );
  const imports = importsOf(code);
  return [
    ...imports.flatMap(packageFault),
    ...contractFaults(tree),
    ...imports.flatMap(schemaFault),
    ...imports.flatMap((one) => sliceFault(one, slices)),
    ...imports.flatMap(dashboardFault),
    ...featureCycles(imports),
    ...unlistedSlices(code, slices),
    ...environmentFaults(code),
    ...startupFaults(code),
    ...tableFaults(code),
    ...clusterFaults(code),
    ...cycles(imports).map((cycle) => `import cycle: ${cycle}`),
    ...testNameFaults(tree),
    ...migrationFaults(tree),
    ...distributionFaults(tree),
  ];
}

function packageFault({ from, target, to }: Import): string[] {
  const own = packageOf(from);
  const other = to
    ? packageOf(to)
    : PACKAGES.find((name) => target === `@whytrace/${name}` || target.startsWith(`@whytrace/${name}/`));
  if (own === "contract" && other !== "contract" && !(target === "zod" && isSchema(from)))
    return [`${from} imports ${target}: contract imports zod, in schemas/, and nothing else`];
  if (own === "demo" && !other) return [`${from} imports ${target}: demo has to run in a browser`];
  if (own === "sdk" && !to && other !== "contract")
    return [`${from} imports ${target}: the SDK has no dependency`];
  // The sample workspace is the demo's month.
  if (other === "demo" && from.startsWith("packages/server/src/sample/")) return [];
  if (!other || other === own || other === "contract" || MAY_IMPORT[own]?.includes(other)) return [];
  return [`${from} imports ${target}: packages meet only in contract`];
}

/** The names in braces of imports or exports from a module. */
const namesFrom = (text: string, module: RegExp) =>
  [...text.matchAll(/\{([^{}]*)\}\s*from\s*"([^"]+)"/g)]
    .filter(([, , target = ""]) => module.test(target))
    .flatMap(([, names = ""]) => names.match(/(?<=^|,)\s*(?:type\s+)?\w+/g) ?? [])
    .map((name) => name.trim().replace(/^type\s+/, ""));

/** A client uses what it imports, and what that is declared with: with a type, also the values that it follows from. */
function contractFaults(tree: Tree): string[] {
  const declared = new Map<string, string[]>();
  for (const [path, text] of Object.entries(tree))
    if (packageOf(path) === "contract" && !isTest(path))
      for (const declaration of text
        .replaceAll(/\/\*.*?\*\/|\/\/.*?$/gms, "")
        .split(/^(?=(?:export )?(?:const|function\*?|class|interface|type) )/m)) {
        const [, name] = /^(?:export )?(?!import|export)[a-z]+\*? (\w+)/.exec(declaration) ?? [];
        if (name) declared.set(name, [...(declared.get(name) ?? []), ...(declaration.match(/\w+/g) ?? [])]);
      }
  const used = new Set(
    Object.entries(tree)
      .filter(([path]) => CLIENT_PACKAGES.includes(packageOf(path)))
      .flatMap(([, text]) => namesFrom(text, /^@whytrace\/contract$/)),
  );
  for (const name of used)
    for (const word of declared.get(name) ?? []) if (declared.has(word)) used.add(word);
  return namesFrom(tree["packages/contract/src/index.ts"] ?? "", /^\.\//)
    .filter((name) => !used.has(name) && !EXPORTS_FOR_SERVER.includes(name))
    .map((name) => `contract exports ${name}: only the server uses it`);
}

/** Exports of shipped or shared code that no file imports by name. Who imports a whole module uses every name that it mentions. */
function exportFaults(tree: Tree): string[] {
  const imported = new Set(
    Object.values(tree).flatMap((text) =>
      /\* as |\bimport\(/.test(text) ? (text.match(/\w+/g) ?? []) : namesFrom(text, /./),
    ),
  );
  return Object.entries(tree)
    .filter(([path]) => !["", ...FREE_EXPORTS].includes(packageOf(path)))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)]
        .filter(([, name = ""]) => !imported.has(name))
        .map(([, name]) => `${path} exports ${name}: no other file imports it`),
    );
}

/** Schemas load zod: the SDK, the dashboard and the start of the command line use only the types that follow from them. */
function schemaFault({ from, target, to, isType }: Import): string[] {
  const isLoaded =
    isSchema(to ?? target.replace(/^@whytrace\/contract\//, "packages/contract/src/")) && !isType;
  if (!isLoaded || isSchema(from) || packageOf(from) === "server" || IS_FOR_TESTS.has(packageOf(from)))
    return [];
  return [`${from} loads ${target}: only the server loads schemas`];
}

function sliceFault({ from, to }: Import, slices: string[]): string[] {
  const [own, other] = [sliceOf(from), to && sliceOf(to)];
  if (!own || !to || packageOf(to) !== "server" || own === other) return [];
  if (other === undefined)
    return to === "packages/server/src/config.ts"
      ? []
      : [`${from} imports ${to}: only files at the top import files at the top`];
  if (SERVER_FLOORS.includes(other))
    return SERVER_FLOORS.indexOf(own) < SERVER_FLOORS.indexOf(other)
      ? []
      : [`${from} imports ${to}: ${own} is a floor below ${other}`];
  if (SERVER_FLOORS.includes(own)) return [`${from} imports ${to}: a floor imports no slice`];
  return slices.indexOf(other) < slices.indexOf(own)
    ? []
    : [`${from} imports ${to}: ${other} does not come before ${own} in app.ts`];
}

function dashboardFault({ from, to }: Import): string[] {
  const own = dashboardFolderOf(from);
  if (!own || !to?.startsWith("packages/dashboard/src/")) return [];
  const other = dashboardFolderOf(to);
  if (own === other) return [];
  if (other === undefined)
    return to === "packages/dashboard/src/paths.ts"
      ? []
      : [`${from} imports ${to}: only files at the top import files at the top`];
  if (!DASHBOARD_BASE.includes(own)) return [];
  if (!DASHBOARD_BASE.includes(other)) return [`${from} imports ${to}: ${own} imports no feature`];
  return DASHBOARD_BASE.indexOf(other) < DASHBOARD_BASE.indexOf(own)
    ? []
    : [`${from} imports ${to}: ${other} does not come before ${own}`];
}

/** Features that import each other are one feature in two folders. */
function featureCycles(imports: Import[]): string[] {
  const between = imports.flatMap(({ from, to = "" }) => {
    const [feature, other] = [dashboardFolderOf(from), dashboardFolderOf(to)];
    return feature && other && feature !== other ? [{ from: feature, to: other }] : [];
  });
  return cycles(between).map((cycle) => `features import each other: ${cycle}`);
}

function unlistedSlices(code: Tree, slices: string[]): string[] {
  const folders = new Set(Object.keys(code).flatMap((path) => sliceOf(path) ?? []));
  return [...folders]
    .filter((folder) => ![...SERVER_FLOORS, ...slices].includes(folder))
    .map((folder) => `packages/server/src/${folder} is not listed in app.ts`);
}

function environmentFaults(code: Tree): string[] {
  return Object.entries(code)
    .filter(
      ([path, text]) =>
        !IS_FOR_TESTS.has(packageOf(path)) &&
        !/^packages\/[a-z]+\/src\/config\.ts$/.test(path) &&
        /process\s*\.\s*env|from "node:process"/.test(text),
    )
    .map(([path]) => `${path} reads process.env: only a package's config.ts does`);
}

/** The server takes a second to load, which `whytrace --help` or `whytrace traces` should not. */
function startupFaults(code: Tree): string[] {
  return Object.entries(code)
    .filter(
      ([path, text]) =>
        packageOf(path) === "cli" && /^import (?!type\b)[^"]*from "@whytrace\/server"/m.test(text),
    )
    .map(([path]) => `${path} loads the server at startup: load it with import() where it is needed`);
}

function tableFaults(code: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(code)) {
    if (IS_FOR_TESTS.has(packageOf(path))) continue;
    for (const [, table] of text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]{3,})\b/g))
      if (table && /_|s$/.test(table))
        writers.set(table, (writers.get(table) ?? new Set()).add(sliceOf(path) ?? path));
  }
  return [...writers]
    .filter(([, slices]) => slices.size > 1)
    .map(([table, slices]) => `${table} is written by ${[...slices].join(" and ")}`);
}

/** Only `db/` knows whether workspaces and the directory are on the same server. */
function clusterFaults(code: Tree): string[] {
  return Object.entries(code)
    .filter(
      ([path]) => packageOf(path) === "server" && sliceOf(path) !== "db" && !KNOW_CLUSTERS.includes(path),
    )
    .flatMap(([path, text]) => {
      const comments = text.match(/\/\*.*?\*\/|\/\/.*?$/gms) ?? [];
      const faults = [];
      if (/\b(isSharded|sharding)\b/.test(text))
        faults.push(`${path} asks whether the store is sharded: only db does`);
      if (comments.some((comment) => /cluster|citus|coordinator/i.test(comment)))
        faults.push(`${path} has a comment about clusters: it belongs to db`);
      return faults;
    });
}

function cycles(imports: { from: string; to?: string | undefined }[]): string[] {
  const importsFrom = Map.groupBy(imports, ({ from }) => from);
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (from: string, trail: string[]) => {
    if (state.get(from) === "open") found.push([...trail.slice(trail.indexOf(from)), from].join(" → "));
    if (state.has(from)) return;
    state.set(from, "open");
    for (const { to } of importsFrom.get(from) ?? []) if (to) visit(to, [...trail, from]);
    state.set(from, "done");
  };
  for (const from of importsFrom.keys()) visit(from, []);
  return found;
}

/** `list-traces.test.ts` and `list-traces.plans.test.ts` test `list-traces.ts`, beside them. */
function testNameFaults(tree: Tree): string[] {
  return Object.keys(tree)
    .filter(isTest)
    .filter((path) => {
      const tested = path.replace(/(\.[a-z-]+)?\.test\.tsx?$/, "");
      return !(`${tested}.ts` in tree) && !(`${tested}.tsx` in tree);
    })
    .map((path) => `${path} is not named after a file beside it`);
}

/** Building an index blocks writes to its table, unless it is built concurrently. New tables have no writers. */
function migrationFaults(tree: Tree): string[] {
  return Object.entries(tree)
    .filter(([path]) => isMigration(path))
    .flatMap(([path, text]) => {
      const newTables = [...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(
        ([, table]) => table,
      );
      return [...text.matchAll(/create (?:unique )?index (?!concurrently\b)[^;]*?\bon (\w+)/gi)]
        .filter(([, table]) => !newTables.includes(table))
        .map(([, table]) => `${path} blocks writes to ${table}: create its index concurrently`);
    });
}

/** Citus changes no other property of a distributed table, but distributes a new one with all that it has. */
function distributionFaults(tree: Tree): string[] {
  return Object.entries(tree)
    .filter(([path]) => isMigration(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/alter table (\w+)[^;]*? set (storage|compression|statistics)\b/gi)]
        .filter(([, table]) => !new RegExp(`create table (if not exists )?${table}\\b`, "i").test(text))
        .map(
          ([, table, property]) =>
            `${path} sets the ${property} of ${table}: Citus cannot, if it is distributed`,
        ),
    );
}

/** Folders whose own files are more of the package than one can keep in mind. */
function largeFolders(tree: Tree, packageName: string): string[] {
  const lines = Object.entries(tree)
    .filter(([path]) => packageOf(path) === packageName && /\.tsx?$/.test(path) && !isTest(path))
    .map(([path, text]) => ({ folder: dirname(path), count: text.split("\n").length }));
  const sum = (some: typeof lines) => some.reduce((total, { count }) => total + count, 0);
  return [...Map.groupBy(lines, ({ folder }) => folder)]
    .filter(([, own]) => sum(own) > LARGEST_FOLDER_SHARE * sum(lines))
    .map(([folder]) => `${folder} holds over ${LARGEST_FOLDER_SHARE * 100} % of ${packageName}`);
}

/** Folders with more sources of their own than one can look over. */
function crowdedFolders(paths: string[]): string[] {
  const sources = paths.filter((path) => /\.(tsx?|mjs)$/.test(path) && !isTest(path));
  return [...Map.groupBy(sources, (path) => dirname(path))]
    .filter(([, own]) => own.length > MAX_SOURCES_PER_FOLDER)
    .map(([folder, own]) => `${folder} has ${own.length} sources: at most ${MAX_SOURCES_PER_FOLDER}`);
}

function readFiles(pattern: string | string[]): Tree {
  const root = join(import.meta.dirname, "../..");
  const paths = globSync(pattern, { cwd: root, exclude: (path) => path.endsWith("node_modules") });
  return Object.fromEntries(
    paths.filter(isSource).map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

describe("the sources", () => {
  const tree = readFiles(Object.values(FOLDERS).map((folder) => `${folder}/{src,!(test)}/**/*`));

  it("keep the rules", () => {
    expect(Object.keys(tree).length).toBeGreaterThan(400);
    expect(violations(tree, SLICES)).toEqual([]);
  });

  it("export only what another file imports", () => {
    expect(exportFaults({ ...readFiles("{packages/*/test,tests,tools,examples}/**/*"), ...tree })).toEqual(
      [],
    );
  });

  it.each(["server", "dashboard"])("of the %s are in no folder over a fifth of it", (name) => {
    expect(largeFolders(tree, name)).toEqual([]);
  });

  it("are in no folder with more than 25", () => {
    // A browser test is found by its page's name.
    const others = globSync("tools/**/*", {
      cwd: join(import.meta.dirname, "../.."),
      exclude: (path) => path.endsWith("node_modules"),
    });
    expect(crowdedFolders([...Object.keys(tree), ...others])).toEqual([]);
  });
});

describe("a rule goes red when", () => {
  const slices = ["auth", "accounts"];
  it.each<[string, Tree, RegExp]>([
    [
      "contract imports anything but zod",
      { "packages/contract/src/schemas/a.ts": 'import { readFileSync } from "node:fs";' },
      /contract imports zod, in schemas\/, and nothing else/,
    ],
    [
      "contract imports zod outside its schemas",
      { "packages/contract/src/a.ts": 'import { z } from "zod";' },
      /contract imports zod, in schemas\/, and nothing else/,
    ],
    [
      "the entry point of contract loads a schema",
      {
        "packages/contract/src/index.ts": 'export { user } from "./schemas/a.ts";',
        "packages/contract/src/schemas/a.ts": "",
      },
      /only the server loads schemas/,
    ],
    [
      "the dashboard loads a schema, even for its type",
      { "packages/dashboard/src/a.ts": 'import { type User } from "@whytrace/contract/schemas/accounts";' },
      /only the server loads schemas/,
    ],
    [
      "the sdk loads a schema",
      { "packages/sdk/src/a.ts": 'import { user } from "@whytrace/contract/schemas/accounts";' },
      /only the server loads schemas/,
    ],
    [
      "contract exports what only the server uses",
      {
        "packages/contract/src/index.ts": 'export { hash, type Salt } from "./hash.ts";',
        "packages/contract/src/hash.ts":
          "export type Salt = string;\nexport const hash = (salt: Salt) => salt;",
        "packages/cli/src/a.ts": 'import type { Salt } from "@whytrace/contract";',
        "packages/server/src/auth/a.ts": 'import { hash } from "@whytrace/contract";',
        "tests/support/a.ts": 'import { hash } from "@whytrace/contract";',
      },
      /^contract exports hash: only the server uses it$/,
    ],
    [
      "contract exports types that nobody uses, beside one with a member named type",
      {
        "packages/contract/src/index.ts":
          'export type { Salt } from "./salt.ts";\nexport type { Step, StepKind } from "./step.ts";',
        "packages/contract/src/salt.ts": "export type Salt = string;",
        "packages/contract/src/step.ts":
          'import type { Salt } from "./salt.ts";\nexport type StepKind = "a" | "b";\nexport interface Step {\n  type: string;\n}',
        "packages/cli/src/a.ts": 'import type { Step } from "@whytrace/contract";',
      },
      /^contract exports Salt: only the server uses it\ncontract exports StepKind: only the server uses it$/,
    ],
    [
      "demo imports what a browser lacks",
      { "packages/demo/src/a.ts": 'import { readFileSync } from "node:fs";' },
      /demo has to run in a browser/,
    ],
    [
      "the command line imports the sdk",
      { "packages/cli/src/a.ts": 'import { x } from "@whytrace/sdk";' },
      /packages meet only in contract/,
    ],
    [
      "the command line loads the server at startup",
      { "packages/cli/src/a.ts": 'import { Operator } from "@whytrace/server";' },
      /loads the server at startup/,
    ],
    [
      "the server imports the demo data",
      { "packages/server/src/a.ts": 'import { x } from "@whytrace/demo";' },
      /packages meet only in contract/,
    ],
    [
      "code that is shipped imports testing",
      { "packages/server/src/a.ts": 'import { x } from "@whytrace/testing/server/boot.ts";' },
      /packages meet only in contract/,
    ],
    [
      "the sdk imports a package, even Node.js's own",
      { "packages/sdk/src/a.ts": 'import { AsyncLocalStorage } from "node:async_hooks";' },
      /the SDK has no dependency/,
    ],
    [
      "the dashboard reaches into the server",
      { "packages/dashboard/src/a.ts": 'import "../../server/src/b.ts";' },
      /packages meet only in contract/,
    ],
    [
      "a stylesheet of the dashboard reaches into the server",
      { "packages/dashboard/src/styles.css": '@import "../../server/src/reference/api.css";' },
      /packages meet only in contract/,
    ],
    [
      "a floor imports a slice",
      {
        "packages/server/src/http/a.ts": 'import { x } from "../auth/b.ts";',
        "packages/server/src/auth/b.ts": "",
      },
      /a floor imports no slice/,
    ],
    [
      "a floor imports the one above it",
      {
        "packages/server/src/concurrency/a.ts": 'import { x } from "../db/b.ts";',
        "packages/server/src/db/b.ts": "",
      },
      /concurrency is a floor below db/,
    ],
    [
      "a slice imports a later one",
      {
        "packages/server/src/auth/a.ts": 'export * from "../accounts/b.ts";',
        "packages/server/src/accounts/b.ts": "",
      },
      /accounts does not come before auth/,
    ],
    [
      "a slice imports what puts the server together",
      {
        "packages/server/src/auth/a.ts": 'import { x } from "../server.ts";',
        "packages/server/src/server.ts": "",
      },
      /only files at the top/,
    ],
    [
      "a slice is not in the table of contents",
      { "packages/server/src/otlp/a.ts": "" },
      /otlp is not listed/,
    ],
    [
      "a base folder of the dashboard imports a feature",
      {
        "packages/dashboard/src/ui/a.tsx": 'import { x } from "../traces/b.tsx";',
        "packages/dashboard/src/traces/b.tsx": "",
      },
      /ui imports no feature/,
    ],
    [
      "a base folder of the dashboard imports one above it",
      {
        "packages/dashboard/src/ui/format/a.ts": 'import { x } from "../../shell/b.tsx";',
        "packages/dashboard/src/shell/b.tsx": "",
      },
      /shell does not come before ui/,
    ],
    [
      "features of the dashboard import each other, in whatever files",
      {
        "packages/dashboard/src/trace/a.ts": 'import "../why/map/a.ts";',
        "packages/dashboard/src/why/map/a.ts": "",
        "packages/dashboard/src/why/b.ts": 'const b = () => import("../traces/b.ts");',
        "packages/dashboard/src/traces/b.ts": "",
        "packages/dashboard/src/traces/c.ts": 'import type { A } from "../trace/tree/b.ts";',
        "packages/dashboard/src/trace/tree/b.ts": "",
      },
      /^features import each other: trace → why → traces → trace$/,
    ],
    [
      "a stylesheet of a base folder imports that of a feature",
      {
        "packages/dashboard/src/ui/a.css": '@import "../trace/b.css";',
        "packages/dashboard/src/trace/b.css": "",
      },
      /ui imports no feature/,
    ],
    [
      "a page imports the router",
      {
        "packages/dashboard/src/traces/a.tsx": 'import { router } from "../router.tsx";',
        "packages/dashboard/src/router.tsx": "",
      },
      /only files at the top/,
    ],
    [
      "the environment is read elsewhere",
      { "packages/server/src/http/a.ts": "const port = process.env.PORT;" },
      /reads process.env/,
    ],
    [
      "two slices write one table",
      {
        "packages/server/src/auth/a.ts": "sql`delete from sessions`",
        "packages/server/src/accounts/b.ts": "sql`update sessions set x`",
      },
      /sessions is written by auth and accounts/,
    ],
    [
      "a slice asks whether the store is sharded",
      { "packages/server/src/auth/a.ts": "if (db.sharding) await forEach();" },
      /auth\/a.ts asks whether the store is sharded/,
    ],
    [
      "a slice explains what a cluster does",
      { "packages/server/src/auth/a.ts": "// A cluster plans this once.\nexport const a = 1;" },
      /auth\/a.ts has a comment about clusters/,
    ],
    [
      "imports run in a circle",
      {
        "packages/server/src/http/a.ts": 'import "./b.ts";',
        "packages/server/src/http/b.ts": 'await import("./a.ts");',
      },
      /import cycle/,
    ],
    [
      "a test is not named after its file",
      { "packages/server/src/http/a.test.ts": "", "packages/server/src/http/b.ts": "" },
      /not named after a file beside it/,
    ],
    [
      "a migration blocks writes while it builds an index",
      {
        "packages/server/src/db/migrations/0002_a.sql":
          "create table runs (id int);\ncreate index on runs (id);\ncreate index a on traces (id);",
      },
      /0002_a.sql blocks writes to traces/,
    ],
    [
      "a migration changes a table in a way that Citus does not support",
      {
        "packages/server/src/db/migrations/0002_a.sql":
          "alter table traces\n  alter column name set storage external;",
      },
      /0002_a.sql sets the storage of traces/,
    ],
  ])("%s", (_, tree, fault) => {
    expect(violations(tree, slices).join("\n")).toMatch(fault);
  });

  it("a file exports what no other file imports", () => {
    const tree: Tree = {
      "packages/server/src/auth/a.ts":
        "export const A = 1;\nexport function b() {}\nexport interface C {}\nexport const d = A;",
      "packages/server/src/auth/b.ts": 'import { b, type C } from "./a.ts";',
      "tools/c.ts": 'const { d } = await import("../packages/server/src/auth/a.ts");',
    };
    expect(exportFaults(tree)).toEqual(["packages/server/src/auth/a.ts exports A: no other file imports it"]);
  });

  it("a folder holds over a fifth of its package", () => {
    const tree = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name) => [
        `packages/server/src/${name}/x.ts`,
        "\n".repeat(name === "a" ? 20 : 10),
      ]),
    );
    expect(largeFolders(tree, "server")).toEqual(["packages/server/src/a holds over 20 % of server"]);
  });

  it("a folder has more than 25 sources", () => {
    const paths = (count: number) => Array.from({ length: count }, (_, n) => `packages/server/src/a/${n}.ts`);
    expect(
      crowdedFolders([...paths(25), "packages/server/src/a/0.test.ts", "packages/server/src/a/b/0.ts"]),
    ).toEqual([]);
    expect(crowdedFolders(paths(26))).toEqual(["packages/server/src/a has 26 sources: at most 25"]);
  });

  it("and stays green for what is allowed", () => {
    const tree: Tree = {
      "packages/contract/src/a.ts": 'import "./b.ts";',
      "packages/contract/src/index.ts":
        'export { STATUSES, type Status } from "./status.ts";\nexport { parseBatch } from "./parse-batch.ts";\nexport type { A } from "./schemas/a.ts";',
      "packages/contract/src/status.ts":
        "export const STATUSES = [1, 2] as const;\nexport type Status = (typeof STATUSES)[number];",
      "packages/contract/src/parse-batch.ts": "export function* parseBatch() {}",
      "packages/contract/src/b.ts": "",
      "packages/contract/src/schemas/a.ts": 'import { z } from "zod";\nimport { b } from "./b.ts";',
      "packages/contract/src/schemas/b.ts": "",
      "packages/contract/src/b.test.ts": 'import { expect } from "vitest";',
      "packages/contract/src/b.limits.test.ts": "",
      "packages/cli/src/a.ts":
        'import type { A } from "@whytrace/contract";\nimport type { S } from "@whytrace/server";\nawait import("@whytrace/server");\nimport { x } from "@whytrace/demo";',
      "packages/dashboard/src/main.tsx": 'import "./styles.css";\nimport { router } from "./router.tsx";',
      "packages/dashboard/src/router.tsx":
        'import("@whytrace/demo");\nimport { page } from "./trace/page.tsx";',
      "packages/dashboard/src/styles.css":
        '@import "@whytrace/contract/colours.css";\n@import "tailwindcss";',
      "packages/dashboard/src/trace/page.tsx":
        'import { x } from "./tree/a.ts";\nimport { y } from "../ui/b.tsx";\nimport { paths } from "../paths.ts";\nimport "../traces/a.ts";',
      "packages/dashboard/src/trace/tree/a.ts":
        'import { x } from "../model/b.ts";\nimport "../../why/a.ts";',
      "packages/dashboard/src/why/a.ts": 'import "../traces/a.ts";\nimport "../shell/a.ts";',
      "packages/dashboard/src/shell/a.ts": 'import "../ui/format/b.ts";',
      "packages/demo/src/a.ts": 'import type { Span, Status } from "@whytrace/contract";',
      "packages/sdk/src/a.ts": 'import { parseBatch } from "@whytrace/contract";\nimport "./b.ts";',
      "packages/server/src/http/a.ts": 'import { config } from "../config.ts";\nimport "../db/x.ts";',
      "packages/server/src/db/x.ts":
        'import "../concurrency/y.ts";\n// A cluster has several nodes.\ndb.sharding;',
      "packages/server/src/config.ts": "/** For a Citus cluster. */\nexport const isSharded = true;",
      "packages/server/src/auth/a.ts": 'import "../http/a.ts";',
      "packages/server/src/accounts/b.ts":
        'import type { A } from "../auth/a.ts";\nimport { T } from "@whytrace/contract";\nimport { t } from "@whytrace/contract/schemas/a";',
      "packages/server/src/db/migrations/0002_a.sql":
        "create table runs (id int);\ncreate unique index on runs (id);",
      "packages/server/src/db/migrations/0003_a.sql":
        "-- no transaction\ncreate index concurrently if not exists a on traces (id);",
      "packages/server/src/db/migrations/0004_a.sql":
        "create table parts (a text);\nalter table parts alter column a set storage external;",
      "tests/support/a.ts": 'import { start } from "../../server/src/server.ts";\nprocess.env.PATH;',
    };
    expect(violations(tree, slices)).toEqual([]);
  });
});
