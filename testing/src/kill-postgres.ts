import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Kills a PostgreSQL and all its processes at once, so that none flushes its memory to disk; returns when they are gone. */
export async function killPostgres(databaseDir: string): Promise<void> {
  const postmaster = postmasterOf(databaseDir);
  if (postmaster === undefined) return;
  const processes = [postmaster, ...childrenOf(postmaster)];
  for (const pid of processes) killIfRunning(pid);
  // PostgreSQL does not start while an old process still holds the shared memory.
  while (processes.some(isRunning)) await sleep(5);
}

function postmasterOf(databaseDir: string): number | undefined {
  try {
    return Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

/** The fields of /proc/PID/stat after the command: state, parent, … */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === parent);
}

/** A zombie counts as stopped, because in a container it may never be reaped. */
const isRunning = (pid: number) => !["Z", "X", undefined].includes(statOf(pid)[0]);

function killIfRunning(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It exited by itself after the postmaster.
  }
}
