import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { processCommand } from "./process-command.ts";

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** Describes the process that listens on a port; undefined if it cannot be found. */
export async function findPortUser(port: number): Promise<string | undefined> {
  const pid = process.platform === "linux" ? await listenerOnLinux(port) : await listenerFromLsof(port);
  if (pid === undefined) return undefined;
  const command = (await processCommand(pid))?.trim();
  return `process ${pid}${command ? ` (${command.slice(0, 80)})` : ""}`;
}

async function listenerFromLsof(port: number): Promise<number | undefined> {
  const lsof = promisify(execFile)("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-t"]);
  const pid = Number((await lsof.catch(() => ({ stdout: "" }))).stdout.split("\n")[0]);
  return pid > 0 ? pid : undefined;
}

/** Finds the listening sockets in the kernel's TCP tables, then the process that has one of them open. */
async function listenerOnLinux(port: number): Promise<number | undefined> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const listening = tables
    .join("\n")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === "0A");
  const sockets = new Set(listening.map((fields) => `socket:[${fields[9]}]`));
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)))
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => []))
      if (sockets.has(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""))) return Number(pid);
  return undefined;
}
