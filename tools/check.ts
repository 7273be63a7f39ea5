// Runs every check that a change has to pass, in order, and stops at the first that fails; with --nightly, what takes too long
// for that. `.ci/run` runs the same.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { OpenedPostgres } from "@whytrace/testing/postgres/open-postgres.ts";
import { seconds } from "./timed-steps.ts";

const HELP = `Runs every check, as CI does, and stops at the first that fails.

  --changed        the quick checks for uncommitted changes: types, lint, and the tests that import a changed file
  --only <part>    of every check: checks, conformance or browser
  --nightly        what the others leave out because it takes long; runs all of it, also after one has failed
  --database <url> the PostgreSQL of conformance and browser tests; default: the installed one, with new data, if there is
                   one; the unit tests start their own
  --report <file>  also write the test runner's report, as JSON
  --help           print this help`;

const { values } = parseArgs({
  options: {
    changed: { type: "boolean", default: false },
    only: { type: "string" },
    nightly: { type: "boolean", default: false },
    database: { type: "string", default: process.env.TEST_DATABASE_URL },
    report: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
  /** Runs on the given or the installed PostgreSQL. */
  isOnDatabase?: boolean;
}
/** Steps of a stage run side by side. What measures time, or uses all cores, is a stage of its own. */
type Stage = Step[];

const reporter = values.report
  ? ["--reporter=default", "--reporter=json", `--outputFile.json=${values.report}`]
  : [];
const TYPES: Step = { name: "types", command: ["npm", "run", "-s", "types"] };
const BUILD: Step = { name: "build", command: ["npm", "run", "-s", "build"] };
const UNIT_TESTS: Stage[] = [
  [TYPES, { name: "lint and format", command: ["npm", "run", "-s", "lint"] }, BUILD],
  [{ name: "bundle size", command: ["npm", "run", "-s", "size"] }],
  [{ name: "tests and architecture", command: ["npm", "test", "--", ...reporter] }],
];
const CONFORMANCE: Stage = [
  { name: "conformance", command: ["npm", "run", "-s", "conformance"], isOnDatabase: true },
];
const BROWSER: Stage = [{ name: "browser tests", command: ["npm", "run", "-s", "e2e"], isOnDatabase: true }];
const PACKAGES: Stage = [
  { name: "the packages in an empty folder", command: ["npm", "run", "-s", "one-minute"] },
];
const PARTS = new Map([
  ["checks", [...UNIT_TESTS, PACKAGES]],
  ["conformance", [[BUILD], CONFORMANCE]],
  ["browser", [[BUILD], BROWSER]],
]);
const NIGHTLY_STAGES: Stage[] = [
  [TYPES],
  [BUILD],
  [
    {
      name: "conformance within bounds",
      command: ["npm", "run", "-s", "conformance", "--", "bounded"],
      isOnDatabase: true,
    },
  ],
  [{ name: "the README in a clean clone", command: ["npm", "run", "-s", "first-minute"] }],
  [
    {
      name: "the packages on every Node.js",
      command: ["npm", "run", "-s", "release", "--", "--dry-run", "--skip-checks"],
    },
  ],
  [
    {
      name: "tests at their whole volume",
      command: ["npm", "test", "--", ...reporter],
      env: { WHYTRACE_VOLUME: "whole" },
    },
  ],
  [
    {
      name: "browser tests at their whole volume",
      command: ["npm", "run", "-s", "e2e"],
      env: { WHYTRACE_VOLUME: "whole" },
      isOnDatabase: true,
    },
  ],
  [{ name: "every script of the lab", command: ["npm", "run", "-s", "lab"] }],
];
const CHANGED_STAGES: Stage[] = [
  [
    TYPES,
    {
      name: "lint and format",
      command: ["npx", "biome", "check", "--changed", "--since=HEAD", "--no-errors-on-unmatched"],
    },
  ],
  [
    {
      name: "tests of what changed",
      command: ["npx", "vitest", "run", "--changed", "--passWithNoTests", ...reporter],
    },
  ],
];

const startedAt = performance.now();
const took: string[] = [];
const failed: Step[] = [];
let postgres: OpenedPostgres | undefined;
for (const stage of chosenStages()) {
  const names = stage.map(({ name }) => name).join(", ");
  console.log(`\n=== ${names} (after ${seconds(performance.now() - startedAt)})`);
  const results = await Promise.all(stage.map((step) => runStep(step, stage.length > 1)));
  for (const { output } of results) if (output) console.log(output);
  failed.push(...results.filter(({ status }) => status !== 0).map(({ step }) => step));
  if (failed.length > 0 && !values.nightly) break;
}
await postgres?.stop();
console.log(`\n${took.join("\n")}`);
for (const { name, command } of failed) console.error(`\n${name} failed: ${command.join(" ")}`);
if (failed.length > 0) process.exit(1);
console.log(`\nEvery check passed in ${seconds(performance.now() - startedAt)}.`);

function chosenStages(): Stage[] {
  if (values.changed) return CHANGED_STAGES;
  if (values.nightly) return NIGHTLY_STAGES;
  if (values.only === undefined) return [...UNIT_TESTS, CONFORMANCE, BROWSER, PACKAGES];
  const part = PARTS.get(values.only);
  if (part) return part;
  console.error(`There is no ${values.only}. There are ${[...PARTS.keys()].join(", ")}.`);
  process.exit(2);
}

/** The output of a step that runs beside others is printed when all have ended. */
async function runStep(step: Step, isBesideOthers: boolean) {
  const stepStartedAt = performance.now();
  const [program = "", ...args] = step.command;
  const stdio = isBesideOthers ? "pipe" : "inherit";
  const url = step.isOnDatabase ? await databaseUrl() : undefined;
  const child = spawn(program, args, {
    stdio: ["ignore", stdio, stdio],
    env: { ...process.env, ...step.env, ...(url && { TEST_DATABASE_URL: url }) },
  });
  const ended = once(child, "close");
  const output = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  );
  const [status]: (number | null)[] = await ended;
  const mark = status === 0 ? "" : ": FAILED";
  took.push(`${seconds(performance.now() - stepStartedAt).padStart(9)}  ${step.name}${mark}`);
  return { step, status: status ?? 1, output: output.join("").trim() };
}

/** PostgreSQL is loaded only for the checks that need one. Where none is installed, each of them starts an embedded one. */
async function databaseUrl(): Promise<string | undefined> {
  if (values.database) return values.database;
  const { startInstalledPostgres } = await import("@whytrace/testing/postgres/installed-postgres.ts");
  postgres ??= await startInstalledPostgres();
  return postgres?.adminUrl;
}
