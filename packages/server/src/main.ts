import { ConfigError, readConfig } from "./config.ts";
import { requireNode } from "./require-node.ts";

/** Long enough for a load balancer to notice the failing health check and for active clients to reconnect elsewhere. */
const DRAIN_MS = 3_000;
const STOP_TIMEOUT_MS = 14_000;

requireNode();
try {
  const { startServer } = await import("./server.ts");
  const server = await startServer(readConfig());
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));

  async function stop(signal: NodeJS.Signals) {
    setTimeout(
      () => exitWith("Stopping took too long; exiting with work in flight."),
      STOP_TIMEOUT_MS,
    ).unref();
    // A second signal, such as a second Ctrl-C, exits at once.
    for (const again of ["SIGTERM", "SIGINT"] as const) process.once(again, () => process.exit(1));
    // SIGINT comes from a terminal, where no load balancer needs time.
    await server.stop(signal === "SIGINT" ? 0 : DRAIN_MS);
    process.exit(0);
  }
} catch (error) {
  exitWith(error instanceof ConfigError ? error.message : error);
}

function exitWith(error: unknown): never {
  console.error(error);
  process.exit(1);
}
