// Runs every check that a change has to pass, in order, and stops at the first that fails. `.ci/run` runs the same.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
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
const TYPES: Step = { name: "types", command: ["npm", "run", "-s", "types"] };
/** Steps of a stage run side by side. What measures time, or uses all cores, is a stage of its own. */
const ALL_STAGES: Step[][] = [
  [
    TYPES,
    { name: "lint and format", command: ["npm", "run", "-s", "lint"] },
    { name: "build", command: ["npm", "run", "-s", "build"] },
  ],
  [{ name: "bundle size", command: ["npm", "run", "-s", "size"] }],
  [{ name: "tests and architecture", command: ["npm", "test", "--", ...reporter] }],
  [{ name: "conformance", command: ["npm", "run", "-s", "conformance"], isOnDatabase: true }],
  [{ name: "browser tests", command: ["npm", "run", "-s", "e2e"], isOnDatabase: true }],
  [{ name: "the packages in an empty folder", command: ["npm", "run", "-s", "one-minute"] }],
  [{ name: "the README in a clean clone", command: ["npm", "run", "-s", "first-minute"] }],
];
const CHANGED_STAGES: Step[][] = [
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
for (const stage of values.changed ? CHANGED_STAGES : ALL_STAGES) {
  const names = stage.map(({ name }) => name).join(", ");
  console.log(`\n=== ${names} (after ${seconds(performance.now() - startedAt)})`);
  const results = await Promise.all(stage.map((step) => runStep(step, stage.length > 1)));
  for (const { output } of results) if (output) console.log(output);
  const failed = results.find(({ status }) => status !== 0);
  if (!failed) continue;
  console.error(`\n${failed.step.name} failed: ${failed.step.command.join(" ")}`);
  process.exit(failed.status || 1);
}
console.log(`\nEvery check passed in ${seconds(performance.now() - startedAt)}.`);

/** The output of a step that runs beside others is printed when all have ended. */
async function runStep(step: Step, isBesideOthers: boolean) {
  const [program = "", ...args] = step.command;
  const database = step.isOnDatabase && values.database ? { TEST_DATABASE_URL: values.database } : {};
  const stdio = isBesideOthers ? "pipe" : "inherit";
  const child = spawn(program, args, {
    stdio: ["ignore", stdio, stdio],
    env: { ...process.env, ...database },
  });
  const ended = once(child, "close");
  const output = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  );
  const [status]: (number | null)[] = await ended;
  return { step, status: status ?? 1, output: output.join("").trim() };
}
