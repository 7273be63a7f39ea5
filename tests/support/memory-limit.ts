import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where Linux mounts the memory controller, of version 1 and 2 of control groups, and the file that limits it. */
const CONTROLLERS = [
  { folder: "/sys/fs/cgroup/memory", file: "memory.limit_in_bytes" },
  { folder: "/sys/fs/cgroup", file: "memory.max" },
];

/** A control group that ends a process above a limit of memory, as a container does. */
interface MemoryLimit {
  /** A shell command that puts its own process, and all it starts, into the group. */
  enter: string;
  /** Waits until the processes in the group have ended. */
  remove(): Promise<void>;
}

/** Returns undefined where this process may not create a control group, for example without root. */
export function createMemoryLimit(bytes: number): MemoryLimit | undefined {
  const name = `whytrace-${process.pid}-${Date.now()}`;
  for (const { folder, file } of CONTROLLERS) {
    const group = join(folder, name);
    if (!existsSync(join(folder, "cgroup.procs"))) continue;
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(group, file), String(bytes));
    } catch {
      rmdirSync(group);
      continue;
    }
    const processes = join(group, "cgroup.procs");
    const remove = async () => {
      while (readFileSync(processes, "utf8") !== "") await sleep(20);
      rmdirSync(group);
    };
    return { enter: `echo $$ > ${processes}`, remove };
  }
  return undefined;
}
