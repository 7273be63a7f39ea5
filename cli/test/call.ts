import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readConfig } from "../src/config.ts";
import { run } from "../src/run.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Result {
  code: number | null;
  out: string;
  notes: string;
}

/** One call inside this process, as a pipe sees it. */
export async function call(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const written = { out: "", notes: "" };
  const sink = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await run(args, { config: readConfig(env), out: sink("out"), notes: sink("notes") });
  return { code, ...written };
}

/** The same as a process of its own. */
export function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ["--conditions=@whytrace/source", MAIN, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function finish(child: ChildProcess, input = ""): Promise<Result> {
  const result = { out: "", notes: "" };
  child.stdout?.on("data", (chunk) => (result.out += chunk));
  child.stderr?.on("data", (chunk) => (result.notes += chunk));
  child.stdin?.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...result };
}
