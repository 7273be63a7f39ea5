import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, type RunOptions } from "./timed-steps.ts";

/** Only a process that hangs takes this long; a machine with other work needs some of it. */
const STOP_TIMEOUT_MS = 120_000;

/** What `whytrace dev --json` prints once it answers. */
export interface Ready {
  url: string;
  apiKey: string;
  signInLink: string;
}

export interface PackedDev {
  ready: Ready;
  /** Ends it like Ctrl-C does, and throws if it or its PostgreSQL goes on. */
  stop: () => Promise<void>;
}

interface PackedDevOptions {
  /** Has the packages installed. */
  folder: string;
  data: string;
  env: RunOptions["env"];
}

/** Starts `npx whytrace dev` from installed packages. */
export async function startPackedDev({ folder, data, env }: PackedDevOptions): Promise<PackedDev> {
  const child = spawn("npx", ["whytrace", "dev", "--data", data, "--port", "0", "--json"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("close", (code) => reject(new Error(`whytrace dev exited with ${code}:\n${stderr}`)));
  });
  return {
    ready: JSON.parse(line),
    stop: async () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      const lock = readFileSync(join(data, "postgres/postmaster.pid"), "utf8");
      const ended = once(child, "close");
      process.kill(-child.pid, "SIGINT");
      await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      expect(
        child.exitCode !== null || child.signalCode !== null,
        `whytrace dev did not stop within ${STOP_TIMEOUT_MS / 1_000} s`,
      );
      expect(!isAlive(Number(lock.split("\n")[0])), "PostgreSQL is still running");
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
