import { ConfigError, readConfig } from "./config.ts";
import { startServer } from "./server.ts";

const MIN_NODE_VERSION = 22;
/** Long enough for a load balancer to notice the failing health check and for active clients to reconnect elsewhere. */
const DRAIN_MS = 3_000;
const STOP_TIMEOUT_MS = 14_000;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION)
  exitWith(`Whytrace needs Node.js ${MIN_NODE_VERSION} or newer; this is ${process.versions.node}.`);

try {
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
