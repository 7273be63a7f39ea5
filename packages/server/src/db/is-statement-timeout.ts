import pg from "pg";

/** query_canceled: by the statement's own timeout, or by somebody else. */
const CANCELED = "57014";

/**
 * Whether a statement took longer than its timeout. The same statement may take as long the next time, so this is not
 * temporary. PostgreSQL has one SQLSTATE for this and for a cancellation by an administrator, and tells them apart only in
 * its message; in another language than English, both count as timeouts. During the sign-in to PostgreSQL it is fatal.
 */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === CANCELED &&
  error.severity !== "FATAL" &&
  !error.message.includes("user request");
