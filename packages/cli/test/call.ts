import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readConfig } from "../src/config.ts";
import { run } from "../src/run.ts";

export const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command inside this process, with its output captured. */
export async function call(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await run(args, { config: readConfig(env), stdout: sink("stdout"), stderr: sink("stderr") });
  return { code, ...written };
}

/** Starts a command as a separate process. */
export function start(args: string[], env: Record<string, string> = {}, main = MAIN): ChildProcess {
  return spawn(process.execPath, ["--conditions=@whytrace/source", main, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function finish(child: ChildProcess, input = ""): Promise<Result> {
  const result = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (result.stdout += chunk));
  child.stderr?.on("data", (chunk) => (result.stderr += chunk));
  child.stdin?.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...result };
}
