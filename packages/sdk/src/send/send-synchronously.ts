import { childEnvironment, type Settings } from "../config.ts";
import { requestOf } from "./post-batch.ts";
import type { Batch } from "./serialize-batch.ts";

/** The child reads the requests from standard input, so that the API key does not appear in the process list. */
const CHILD = `(async () => {
  for (const [url, init] of await new Response(process.stdin).json()) await (await fetch(url, init)).text();
})();`;

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
    const child = spawnSync?.(node.execPath, ["-e", CHILD], {
      input: JSON.stringify(batches.map((batch) => requestOf(settings, batch))),
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
