import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "..");
const MAIN = join(ROOT, "packages/server/src/main.ts");
const WATCHED_FOLDERS = ["packages/server/src", "packages/contract/src"];
const WATCHED_FILES = /(?<!\.test)\.(ts|sql|css)$/;
/** An editor writes a file in several steps; one restart is enough for them. */
const DEBOUNCE_MS = 30;
const POLL_MS = 15;
/** Node.js saves its compile cache when it exits, but a killed process cannot. So the server saves it once it is up. */
const SAVE_COMPILE_CACHE =
  'data:text/javascript,import{flushCompileCache}from"node:module";setTimeout(flushCompileCache,2000).unref()';

interface RestartingServerOptions {
  url: string;
  /** The server's environment variables. */
  env: Record<string, string | undefined>;
  /** Flags of Node.js, such as --inspect. */
  nodeFlags: string[];
}

/** The server, run from its TypeScript sources and restarted whenever one of them changes. */
export class RestartingServer {
  readonly #options: RestartingServerOptions;
  #child: ChildProcess | undefined;
  #restarts = 0;
  #hasNewMigration = false;

  constructor(options: RestartingServerOptions) {
    this.#options = options;
  }

  /** Resolves when the server responds; rejects if it exits instead. */
  async start(): Promise<void> {
    if (!(await this.#spawn())) throw new Error("The server did not start; its output is above.");
    for (const folder of WATCHED_FOLDERS)
      watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
        if (!file || !WATCHED_FILES.test(file)) return;
        if (file.endsWith(".sql")) this.#hasNewMigration = true;
        void this.#restart(join(folder, file));
      });
  }

  async stop(): Promise<void> {
    this.#restarts += 1;
    await this.#kill();
  }

  async #restart(file: string) {
    this.#restarts += 1;
    const restart = this.#restarts;
    await sleep(DEBOUNCE_MS);
    if (restart !== this.#restarts) return;
    const startedAt = performance.now();
    await this.#kill();
    // Another change, or a stop, may have come meanwhile.
    if (restart !== this.#restarts) return;
    const isUp = await this.#spawn({ MIGRATE_ON_START: String(this.#hasNewMigration) });
    if (isUp) this.#hasNewMigration = false;
    if (restart !== this.#restarts) return;
    const tookS = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      isUp ? `${file} changed: server restarted in ${tookS} s` : `${file} changed: the server did not start`,
    );
  }

  /** Without a graceful stop: nothing in a development server is worth the wait. */
  async #kill() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async #spawn(changedEnv: Record<string, string> = {}): Promise<boolean> {
    const { url, env, nodeFlags } = this.#options;
    const child = spawn(
      process.execPath,
      [...nodeFlags, "--import", SAVE_COMPILE_CACHE, "--conditions=@whytrace/source", MAIN],
      { env: { ...process.env, ...env, ...changedEnv }, stdio: ["ignore", "inherit", "inherit"] },
    );
    this.#child = child;
    while (child.exitCode === null && child.signalCode === null) {
      const isUp = await fetch(`${url}/api/health`).then(
        (response) => response.ok,
        () => false,
      );
      if (isUp) return true;
      await sleep(POLL_MS);
    }
    return false;
  }
}
