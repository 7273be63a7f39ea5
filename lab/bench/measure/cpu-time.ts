import { readdirSync, readFileSync } from "node:fs";
import { execute } from "@whytrace/testing/postgres/databases.ts";

/** Linux reports CPU time in hundredths of a second (USER_HZ), independent of the kernel's timer. */
const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  ownMs: number;
  /** CPU time of children that have exited and been waited for. */
  endedChildrenMs: number;
}

/** User and system time of a process, all its threads included. */
export function processCpuMs(pid: number): number {
  return readTimes(pid)?.ownMs ?? Number.NaN;
}

/** CPU time of the postmaster, its current children, and the children that have exited since it started. */
export function postgresCpuMs(postmaster: number): number {
  const first = readTimes(postmaster);
  if (!first) throw new Error("PostgreSQL is not running on this machine");
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times?.parent === postmaster);
  return children.reduce((sum, times) => sum + (times?.ownMs ?? 0), first.ownMs + first.endedChildrenMs);
}

/** Reads the parent pid of a backend; works only if PostgreSQL runs on this machine. */
export async function findPostmaster(databaseUrl: string): Promise<number> {
  const { rows } = await execute(
    databaseUrl,
    "select (regexp_match(pg_read_file('/proc/self/stat'), '\\) \\S (\\d+)'))[1]::integer as parent",
  );
  const [{ parent }] = rows;
  return parent;
}

function readTimes(pid: number): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // The process has exited.
    return undefined;
  }
  // The name in parentheses may contain spaces; it is followed by state, parent, … utime, stime, cutime, cstime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = (index: number) => Number(fields[index]);
  return {
    parent: ticks(1),
    ownMs: (ticks(11) + ticks(12)) * TICK_MS,
    endedChildrenMs: (ticks(13) + ticks(14)) * TICK_MS,
  };
}
