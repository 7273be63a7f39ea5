import type pg from "pg";

/** PostgreSQL settings that, when off, let a crash lose or damage what was committed. */
export const DURABILITY_SETTINGS = ["fsync", "full_page_writes", "synchronous_commit"] as const;

export interface DatabaseState {
  /** Whether the database is a standby or was set to read-only. */
  isReadOnly: boolean;
  /** The durability settings that are off. */
  unsafeSettings: (typeof DURABILITY_SETTINGS)[number][];
}

/** Throws if the database does not respond. */
export async function readDatabaseState(pool: pg.Pool): Promise<DatabaseState> {
  const client = await pool.connect();
  let state: DatabaseState | undefined;
  try {
    const { rows } = await client.query<DatabaseState>(
      `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
         array(select name from unnest($1::text[]) as name where current_setting(name) = 'off') as "unsafeSettings"`,
      [DURABILITY_SETTINGS],
    );
    state = rows[0];
  } finally {
    // A connection keeps the settings it began with, so a read-only one does not notice that the database is writable again.
    client.release(!state || state.isReadOnly);
  }
  if (!state) throw new Error("no row");
  return state;
}
