import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedServer, startEmbeddedPostgres } from "./postgres.ts";

/** A PostgreSQL of the trial's own that can be killed with -9 and started again on the same data. */
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

  /** The postmaster and its children at once, so that nobody lives to write out what memory still held. */
  async kill(): Promise<void> {
    const pidFile = readFileSync(join(this.#server.databaseDir, "postmaster.pid"), "utf8");
    const postmaster = Number(pidFile.split("\n")[0]);
    const family = [postmaster, ...childrenOf(postmaster)];
    this.#isUp = false;
    for (const pid of family) killIfThere(pid);
    // PostgreSQL does not start while somebody still holds the old one's shared memory.
    while (family.some(isRunning)) await sleep(5);
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

/** Fields of /proc/PID/stat behind the command: state, parent, … */
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

/** A zombie runs no more, even where nobody collects it. */
const isRunning = (pid: number) => !["Z", "X", undefined].includes(statOf(pid)[0]);

function killIfThere(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It went by itself when the postmaster did.
  }
}
