import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The processes of a PostgreSQL, the postmaster first; none if it does not run. */
export function postgresProcesses(databaseDir: string): number[] {
  const postmaster = postmasterOf(databaseDir);
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)];
}

/** A zombie counts as stopped, because in a container it may never be reaped. */
export const isProcessRunning = (pid: number) => !["Z", "X", undefined].includes(statOf(pid)[0]);

/** Sends a signal to all of them; those that have exited by themselves do not matter. */
export function signalProcesses(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has exited.
    }
  }
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
