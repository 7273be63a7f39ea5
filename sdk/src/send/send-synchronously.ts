import { childEnvironment, type Settings } from "../config.ts";
import type { Batch } from "./serialize-trace.ts";

/** The child reads the requests from standard input, so that the API key does not appear in the process list. */
const CHILD = `
let text = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => { text += chunk; }).on("end", async () => {
  const { baseUrl, apiKey, batches } = JSON.parse(text);
  for (const { path, body } of batches) {
    const headers = { authorization: "Bearer " + apiKey, "content-type": "application/json" };
    const response = await fetch(baseUrl + path, { method: "POST", headers, body, redirect: "manual" });
    if (response.status !== 200) process.exitCode = 1;
    await response.text();
  }
});`;

interface NodeLike {
  execPath: string;
  versions: { node?: string; bun?: string; deno?: string; electron?: string };
  /** Set in an executable that was built with pkg. */
  pkg?: unknown;
  getBuiltinModule?(name: string): { spawnSync?: SpawnSync; isSea?(): boolean } | undefined;
}

type SpawnSync = (
  command: string,
  args: string[],
  options: {
    input: string;
    timeout: number;
    windowsHide: boolean;
    stdio: ["pipe", "ignore", "ignore"];
    env: Record<string, string | undefined>;
  },
) => { status: number | null };

/**
 * No asynchronous code runs after process.exit, so a child process sends while this process waits. Only Node.js can
 * start such a child process; other runtimes and single executables send nothing. Returns true if the server accepted
 * every batch.
 */
export function sendSynchronously(settings: Settings, batches: Batch[], timeoutMs: number): boolean {
  const { process: node } = globalThis as { process?: NodeLike };
  if (!node?.versions.node || node.versions.bun || node.versions.deno || node.versions.electron) return false;
  try {
    // `execPath` of a single executable is the program itself, which would run once more.
    if (node.pkg || node.getBuiltinModule?.("node:sea")?.isSea?.()) return false;
    const { spawnSync } = node.getBuiltinModule?.("node:child_process") ?? {};
    const { baseUrl, apiKey } = settings;
    const child = spawnSync?.(node.execPath, ["-e", CHILD], {
      input: JSON.stringify({ baseUrl, apiKey, batches }),
      timeout: timeoutMs,
      windowsHide: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: childEnvironment(),
    });
    return child?.status === 0;
  } catch {
    return false;
  }
}
