import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The command line of a running process; undefined if there is no process with this pid. */
export async function processCommand(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  try {
    if (process.platform === "linux")
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    // On Windows, only the program's name is available.
    if (process.platform === "win32")
      return /^"([^"]+)"/.exec(
        (await promisify(execFile)("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"])).stdout,
      )?.[1];
    return (await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="])).stdout.trim();
  } catch {
    return undefined;
  }
}
