/** The SQLSTATE of a database error, or the code of a system error such as ECONNREFUSED; empty for other errors. */
export const sqlState = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** read_only_sql_transaction: the database accepts no writes, because it is a standby or was set to read-only. */
export const READ_ONLY = "25006";

/** unique_violation */
export const UNIQUE_VIOLATION = "23505";
