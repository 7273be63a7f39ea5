/** SQLSTATE classes and codes of lost connections, conflicts, exhausted resources, timeouts and shutdowns. */
const TRANSIENT_SQLSTATE = /^(08...|40...|53...|55P03|57P0.|57014|25P03)$/;
const TRANSIENT_SYSCALL = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENOENT",
]);
// node-postgres reports these without a code.
const TRANSIENT_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether a database error is temporary, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    TRANSIENT_SQLSTATE.test(code) || TRANSIENT_SYSCALL.has(code) || TRANSIENT_MESSAGE.test(error.message)
  );
}
