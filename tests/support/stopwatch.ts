import { readFileSync } from "node:fs";

/**
 * Starts to measure and returns a function for the milliseconds since then. The time in which the host of a virtual machine
 * ran others on its CPUs does not count: no code of ours can be faster than that.
 */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  const stolenBeforeMs = stolenMsPerCpu();
  return () => {
    const stolenMs = stolenMsPerCpu().map((ms, cpu) => ms - (stolenBeforeMs[cpu] ?? ms));
    return performance.now() - startedAt - Math.max(0, ...stolenMs);
  };
}

/** For each CPU, how long it had work and did not run since the system's start; empty on other systems than Linux. */
function stolenMsPerCpu(): number[] {
  try {
    const lines = readFileSync("/proc/stat", "utf8").split("\n");
    return lines.filter((line) => /^cpu\d/.test(line)).map((line) => Number(line.split(" ")[8]) * 10);
  } catch {
    return [];
  }
}
