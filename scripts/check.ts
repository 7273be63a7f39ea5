// Runs every check that a change has to pass, in order, and stops at the first that fails. `.ci/run` runs the same.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { seconds } from "./timed-steps.ts";

const HELP = `Runs every check, as CI does, and stops at the first that fails.

  --changed        the quick checks for uncommitted changes: types, lint, and the tests that import a changed file
  --database <url> the PostgreSQL of conformance and browser tests; the unit tests start their own
  --report <file>  also write the test runner's report, as JSON
  --help           print this help`;

const { values } = parseArgs({
  options: {
    changed: { type: "boolean", default: false },
    database: { type: "string" },
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
  /** Runs on the given PostgreSQL. */
  isOnDatabase?: boolean;
}

const reporter = values.report
  ? ["--reporter=default", "--reporter=json", `--outputFile.json=${values.report}`]
  : [];
const ALL_STEPS: Step[] = [
  { name: "types", command: ["npm", "run", "-s", "types"] },
  { name: "lint and format", command: ["npm", "run", "-s", "lint"] },
  { name: "build", command: ["npm", "run", "-s", "build"] },
  { name: "bundle size", command: ["npm", "run", "-s", "size"] },
  { name: "tests and architecture", command: ["npm", "test", "--", ...reporter] },
  { name: "conformance", command: ["npm", "run", "-s", "conformance"], isOnDatabase: true },
  { name: "browser tests", command: ["npm", "run", "-s", "e2e"], isOnDatabase: true },
  { name: "the packages in an empty folder", command: ["npm", "run", "-s", "one-minute"] },
  { name: "the README in a clean clone", command: ["npm", "run", "-s", "first-minute"] },
];
const CHANGED_STEPS: Step[] = [
  { name: "types", command: ["npm", "run", "-s", "types"] },
  {
    name: "lint and format",
    command: ["npx", "biome", "check", "--changed", "--since=HEAD", "--no-errors-on-unmatched"],
  },
  {
    name: "tests of what changed",
    command: ["npx", "vitest", "run", "--changed", "--passWithNoTests", ...reporter],
  },
];

const startedAt = performance.now();
for (const { name, command, isOnDatabase } of values.changed ? CHANGED_STEPS : ALL_STEPS) {
  console.log(`\n=== ${name} (after ${seconds(performance.now() - startedAt)})`);
  const [program = "", ...args] = command;
  const database = isOnDatabase && values.database ? { TEST_DATABASE_URL: values.database } : {};
  const { status } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...database } });
  if (status !== 0) {
    console.error(`\n${name} failed: ${command.join(" ")}`);
    process.exit(status ?? 1);
  }
}
console.log(`\nEvery check passed in ${seconds(performance.now() - startedAt)}.`);
