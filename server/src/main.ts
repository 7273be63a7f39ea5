import { ConfigError, readConfig } from "./config.ts";
import { startServer } from "./server.ts";

const OLDEST_NODE = 22;
/** Long enough for a load balancer to see the health check fail and for busy clients to leave by themselves. */
const DRAIN_MS = 3_000;
const LONGEST_STOP_MS = 14_000;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
  exitWith(`Whytrace needs Node.js ${OLDEST_NODE} or newer; this is ${process.versions.node}.`);

try {
  const server = await startServer(readConfig());
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));

  async function stop(signal: NodeJS.Signals) {
    setTimeout(
      () => exitWith("Stopping took too long; exiting with work in flight."),
      LONGEST_STOP_MS,
    ).unref();
    // A second signal, or Ctrl-C twice, does not wait.
    for (const again of ["SIGTERM", "SIGINT"] as const) process.once(again, () => process.exit(1));
    // At a terminal there is no load balancer to wait for.
    await server.stop(signal === "SIGINT" ? 0 : DRAIN_MS);
    process.exit(0);
  }
} catch (error) {
  exitWith(error instanceof ConfigError ? error.message : error);
}

function exitWith(fault: unknown): never {
  console.error(fault);
  process.exit(1);
}
