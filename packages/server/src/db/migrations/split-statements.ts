/** Comments, dollar-quoted bodies, strings, and everything else up to the next of them or to the end of a statement. */
const TOKENS = /--.*|\$\$[\s\S]*?\$\$|'[^']*'|;|[^;'$-]+|[$-]/g;

/** Splits a migration into its statements, without comments. */
export function splitStatements(migration: string): string[] {
  const statements = [""];
  for (const [token] of migration.matchAll(TOKENS)) {
    if (token === ";") statements.push("");
    else if (!token.startsWith("--")) statements.push(`${statements.pop()}${token}`);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}
