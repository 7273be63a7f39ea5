import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { UNLIMITED } from "./unlimited.ts";

const MAIN = new URL("../../../packages/server/dist/main.js", import.meta.url).pathname;
/** Only a server that hangs takes this long; a machine with other work needs some of it. */
const START_TIMEOUT_MS = 120_000;

export interface BuiltServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the built server as a separate process. Polls its health, because at log level "error" it prints no line that
 * says it listens (compare `startServerProcess`).
 */
export async function startBuiltServer(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...(process.env.BENCH_NODE_FLAGS?.split(" ") ?? []), MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: url,
      LOG_LEVEL: "error",
      ...UNLIMITED,
      ...env,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  await waitUntilHealthy(child, url);
  if (child.pid === undefined) throw new Error("The server has no process id");
  return {
    url,
    pid: child.pid,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function waitUntilHealthy(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`The server exited with ${child.exitCode}`);
    const isUp = await fetch(`${url}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not start within ${START_TIMEOUT_MS} ms`);
}
