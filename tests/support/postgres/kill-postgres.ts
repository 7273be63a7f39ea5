import { setTimeout as sleep } from "node:timers/promises";
import { isProcessRunning, postgresProcesses, signalProcesses } from "./postgres-processes.ts";

/** Kills a PostgreSQL and all its processes at once, so that none flushes its memory to disk; returns when they are gone. */
export async function killPostgres(databaseDir: string): Promise<void> {
  const processes = postgresProcesses(databaseDir);
  signalProcesses(processes, "SIGKILL");
  // PostgreSQL does not start while an old process still holds the shared memory.
  while (processes.some(isProcessRunning)) await sleep(5);
}
