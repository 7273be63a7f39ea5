import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 5;
const REPORT_EVERY_MS = 100;
const REPORTED = /^turn: (\d+) ms/;

/** The environment of a server that prints how long its turns take. */
export const WATCHED_TURNS = { NODE_OPTIONS: `--import=${import.meta.url}`, WATCHED_TURNS: "1" };

/** CPU time of the longest turn among the lines of such a server: what other processes do meanwhile does not count. */
export const longestTurnMs = (lines: readonly string[]) =>
  Math.max(0, ...lines.map((line) => Number(REPORTED.exec(line)?.[1] ?? 0)));

if (process.env.WATCHED_TURNS && isMainThread) watch();

/** Timers run in each turn: between two of them, the thread did not look for requests for as long as it computed. */
function watch() {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }, LOOK_EVERY_MS).unref();
  setInterval(() => {
    writeSync(1, `turn: ${Math.round(longestMs)} ms\n`);
    longestMs = 0;
  }, REPORT_EVERY_MS).unref();
}
