import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";

/** Runs the steps of a script one after another and prints how long each took. */
export class TimedSteps {
  /** Total time of the counted steps, without the time in which the host ran others on this machine's CPUs. */
  totalMs = 0;

  async step<T>(name: string, work: () => T | Promise<T>, { isCounted = true } = {}): Promise<T> {
    const elapsedMs = startStopwatch();
    const result = await work();
    const tookMs = elapsedMs();
    if (isCounted) this.totalMs += tookMs;
    console.log(`${seconds(tookMs).padStart(7)}  ${name}`);
    return result;
  }
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** An environment with only Node.js: `node` first in PATH, and no settings of npm or of this checkout. */
export function cleanEnvironment(node = process.execPath): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS|WHYTRACE_|DATABASE_URL|TEST_DATABASE_URL)/.test(name),
  );
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(inherited), PATH: [dirname(node), ...path].join(delimiter) };
}

export interface RunOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Runs a command; throws unless it exits with 0. */
export async function run(command: string, args: string[], options: RunOptions): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}`);
}

export function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
