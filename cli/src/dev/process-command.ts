import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The command line of a process that lives; undefined when there is none of that number. */
export async function commandOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  try {
    if (process.platform === "linux")
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    // Windows tells the program alone.
    if (process.platform === "win32")
      return /^"([^"]+)"/.exec(
        (await promisify(execFile)("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"])).stdout,
      )?.[1];
    return (await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="])).stdout.trim();
  } catch {
    return undefined;
  }
}
