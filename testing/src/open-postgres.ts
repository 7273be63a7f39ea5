import { startEmbeddedPostgres } from "./embedded-postgres.ts";

export interface OpenedPostgres {
  /** The URL of a database in which other databases can be created. */
  adminUrl: string;
  stop(): Promise<void>;
}

/**
 * Takes the server that TEST_DATABASE_URL names, or starts one with these flags. A server that merely listens on some port
 * is never used.
 */
export async function openPostgres(flags?: string[]): Promise<OpenedPostgres> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (adminUrl) return { adminUrl, async stop() {} };
  const { url, stop } = await startEmbeddedPostgres(flags);
  return { adminUrl: url, stop };
}
