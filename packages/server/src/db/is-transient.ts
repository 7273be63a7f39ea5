import { isStatementTimeout } from "./is-statement-timeout.ts";
import { sqlState } from "./sql-state.ts";

/**
 * SQLSTATE classes and codes: lost connections (08), a database that accepts no writes (25006), timeouts of a session
 * (25P03, 25P04), credentials that are being replaced (28), conflicts (40), exhausted resources (53), locks (55P03), shutdowns
 * and cancellation (57), failures of the disk or the system (58).
 */
const TRANSIENT_SQLSTATE = /^(08...|25006|25P0[34]|28...|40...|53...|55P03|57P0.|57014|58...)$/;
const TRANSIENT_SYSCALL = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "ENOENT",
]);
// node-postgres reports these without a code. Citus reports a worker that it cannot reach, and a shard that has just moved,
// with codes that mean something else.
const TRANSIENT_MESSAGE =
  /^(failure on connection marked as essential|connection to the remote node|could not find valid entry for shard|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether a database error is temporary, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || isStatementTimeout(error)) return false;
  const code = sqlState(error);
  return (
    TRANSIENT_SQLSTATE.test(code) || TRANSIENT_SYSCALL.has(code) || TRANSIENT_MESSAGE.test(error.message)
  );
}
