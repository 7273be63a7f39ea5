// Runs the conformance suite, OpenTelemetry included, and the tests of the server on a Citus cluster. Prints how many pass;
// passes if all do. CITUS_URL names the coordinator's database postgres, CITUS_WORKERS the workers (host:port,host:port).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { runTrial } from "@whytrace/testing/trial.ts";

const { CITUS_URL, CITUS_WORKERS } = process.env;

interface Suite {
  name: string;
  command: string[];
  /** Match lines that count tests. */
  passed: RegExp;
  failed: RegExp;
}

const SUITES: Suite[] = [
  {
    name: "conformance",
    command: ["npm", "run", "--silent", "conformance"],
    passed: /^ℹ pass (\d+)/,
    failed: /^ℹ fail (\d+)/,
  },
  {
    name: "server tests",
    command: ["npx", "vitest", "run", "packages/server/src"],
    passed: /^ *Tests .*?(\d+) passed/,
    failed: /^ *Tests .*?(\d+) failed/,
  },
];

await runTrial(async (onCleanup) => {
  if (!CITUS_URL || !CITUS_WORKERS) {
    console.log("Skipped: this trial needs a Citus cluster. Set CITUS_URL and CITUS_WORKERS.");
    return true;
  }
  const isReachable = await execute(CITUS_URL, "select 1").then(
    () => true,
    () => false,
  );
  if (!isReachable) {
    console.log(`Skipped: no PostgreSQL responds at ${new URL(CITUS_URL).host}.`);
    return true;
  }
  const wanted = process.argv[2];
  const totals: string[] = [];
  let hasPassed = true;
  for (const suite of SUITES.filter(({ name }) => wanted === undefined || name.startsWith(wanted))) {
    const { passed, failed } = await run(suite, onCleanup);
    totals.push(`${suite.name}: ${passed} of ${passed + failed} passed`);
    hasPassed &&= failed === 0 && passed > 0;
  }
  console.log(totals.join("\n"));
  return hasPassed;
});

async function run(
  { command: [program = "", ...args], passed, failed }: Suite,
  onCleanup: (step: () => Promise<unknown>) => void,
): Promise<{ passed: number; failed: number }> {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, NO_COLOR: "1", TEST_DATABASE_URL: CITUS_URL, TEST_SHARDING: "citus" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onCleanup(async () => void child.kill("SIGINT"));
  const counts = { passed: 0, failed: 0 };
  if (child.stdout)
    for await (const line of createInterface({ input: child.stdout })) {
      console.log(line);
      counts.passed += Number(passed.exec(line)?.[1] ?? 0);
      counts.failed += Number(failed.exec(line)?.[1] ?? 0);
    }
  if (child.exitCode === null) await once(child, "exit");
  return counts;
}
