import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import type { SentAttack } from "./send-attack.ts";

const SCRIPT = new URL("send-attack.ts", import.meta.url).pathname;

/**
 * Starts to send an attack, with the lowest priority: in reality its sender has machines of its own. Resolves when it begins. The
 * returned function ends it and resolves with its responses by status.
 */
export async function startAttack(options: SentAttack): Promise<() => Promise<string>> {
  const args = ["--conditions=@whytrace/source", SCRIPT, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  return async () => {
    if (child.exitCode !== null) throw new Error("the attack ended by itself");
    child.kill("SIGTERM");
    const [statuses] = await Promise.all([text(child.stdout), exited]);
    return statuses.trim();
  };
}
