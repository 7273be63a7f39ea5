import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedServer, startEmbeddedPostgres } from "./embedded-postgres.ts";

/** A PostgreSQL that a trial can kill with SIGKILL and restart on the same data. */
export class KillablePostgres {
  readonly url: string;
  readonly #server: EmbeddedServer;
  #isUp = true;

  private constructor(server: EmbeddedServer) {
    this.#server = server;
    this.url = server.url;
  }

  static async start(settings: string[] = []): Promise<KillablePostgres> {
    return new KillablePostgres(await startEmbeddedPostgres(settings.flatMap((one) => ["-c", one])));
  }

  /** Kills the postmaster and its children at once, so that no process flushes its memory to disk. */
  async kill(): Promise<void> {
    const pidFile = readFileSync(join(this.#server.databaseDir, "postmaster.pid"), "utf8");
    const postmaster = Number(pidFile.split("\n")[0]);
    const processes = [postmaster, ...childrenOf(postmaster)];
    this.#isUp = false;
    for (const pid of processes) killIfRunning(pid);
    // PostgreSQL does not start while an old process still holds the shared memory.
    while (processes.some(isRunning)) await sleep(5);
  }

  async restart(): Promise<void> {
    await this.#server.start();
    this.#isUp = true;
  }

  async stop(): Promise<void> {
    if (this.#isUp) return this.#server.stop();
    await rm(this.#server.databaseDir, { recursive: true, force: true });
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
