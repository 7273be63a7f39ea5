import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isDistributed } from "../postgres/citus-cluster.ts";

const MAIN = new URL("../../../packages/server/src/main.ts", import.meta.url).pathname;
/** The second one as in the image and in `npm start`. */
const FLAGS = ["--conditions=@whytrace/source", "--max-semi-space-size=8"];

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  /** Every line of output so far. */
  lines: string[];
}

/** Starts a server from its sources as a separate process; throws its output if it does not start. */
export async function startServerProcess(env: Record<string, string>, main = MAIN): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...FLAGS, main], {
    env: { PATH: process.env.PATH, PORT: "0", ...(isDistributed && { SHARDING: "citus" }), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line);
      const listening = /Server listening at (http:[^"]+)/.exec(line)?.[1];
      if (listening) resolve(listening);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read);
    child.once("close", () => reject(new Error(lines.join("\n"))));
  });
  return { child, url, lines };
}
