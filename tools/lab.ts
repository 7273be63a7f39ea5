// Runs every script of the lab once, at its smallest size and to its end, and fails if one fails. Texts as arguments choose the
// scripts whose paths contain one of them. The output of a script is printed if it fails.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startInstalledPostgres } from "@whytrace/testing/postgres/installed-postgres.ts";
import { NOT_PASSED } from "@whytrace/testing/trial.ts";
import { SKIPPED_SCRIPTS, SMALLEST_RUNS, type SmallestRun } from "../lab/smallest.ts";
import { seconds } from "./timed-steps.ts";

/** Only a script that hangs takes this long; a machine with other work needs some of it. */
const MAX_SCRIPT_MS = 15 * 60_000;
/** A script removes its databases and ends its servers when it is asked to end. */
const MAX_CLEANUP_MS = 60_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const PRINTED_LINES = 80;
const root = join(import.meta.dirname, "..");
const texts = process.argv.slice(2);
const runs = SMALLEST_RUNS.filter(
  ({ script }) => texts.length === 0 || texts.some((text) => script.includes(text)),
);
if (runs.length === 0) {
  console.error(`No script of lab/smallest.ts has ${texts.join(" or ")} in its path.`);
  process.exit(2);
}

const failed: string[] = [];
let isEnding = false;
for (const name of SIGNALS)
  process.once(name, () => {
    isEnding = true;
  });
for (const run of runs) {
  if (isEnding) process.exit(1);
  const startedAt = performance.now();
  const { verdict, hasFailed, output } = await runScript(run);
  if (hasFailed) {
    failed.push(run.script);
    console.log(output.trimEnd().split("\n").slice(-PRINTED_LINES).join("\n"));
  }
  console.log(`${seconds(performance.now() - startedAt).padStart(8)}  ${run.script}: ${verdict}`);
}
if (texts.length === 0)
  for (const [script, reason] of Object.entries(SKIPPED_SCRIPTS))
    console.log(`${"SKIPPED".padStart(8)}  ${script}: ${reason}`);
console.log(`${runs.length - failed.length} of ${runs.length} scripts ran to their end`);
for (const script of failed) console.log(`failed: ${script}`);
process.exit(failed.length > 0 ? 1 : 0);

interface Ended {
  verdict: string;
  hasFailed: boolean;
  output: string;
}

async function runScript({
  script,
  args = [],
  isMeasurement,
  needsInstalledPostgres,
}: SmallestRun): Promise<Ended> {
  const postgres = needsInstalledPostgres ? await startInstalledPostgres() : undefined;
  const { TEST_DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--conditions=@whytrace/source", script, ...args], {
    cwd: root,
    env: { ...env, ...(postgres && { TEST_DATABASE_URL: postgres.adminUrl }) },
    stdio: ["ignore", "pipe", "pipe"],
    // Its servers end with it.
    detached: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void output.push(chunk));
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name);
  };
  const timers = [
    setTimeout(signal, MAX_SCRIPT_MS, "SIGTERM"),
    setTimeout(signal, MAX_SCRIPT_MS + MAX_CLEANUP_MS, "SIGKILL"),
  ];
  for (const name of SIGNALS) process.once(name, signal);
  await once(child, "exit");
  for (const name of SIGNALS) process.off(name, signal);
  for (const timer of timers) clearTimeout(timer);
  await postgres?.stop();
  const text = Buffer.concat(output).toString();
  const skipped = /^Skipped: .*/m.exec(text)?.[0];
  if (child.exitCode === 0 && skipped)
    return { verdict: skipped.replace("Skipped", "SKIPPED"), hasFailed: false, output: text };
  return { ...judge(child, isMeasurement ?? false), output: text };
}

function judge({ exitCode, signalCode }: ChildProcess, isMeasurement: boolean): Omit<Ended, "output"> {
  if (exitCode === 0) return { verdict: "passed", hasFailed: false };
  if (exitCode === NOT_PASSED && isMeasurement)
    return { verdict: "ran; too small to judge", hasFailed: false };
  return { verdict: `FAILED with ${exitCode ?? signalCode}`, hasFailed: true };
}
