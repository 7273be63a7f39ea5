import { startEmbeddedPostgres } from "./embedded-postgres.ts";

export interface OpenedPostgres {
  /** The URL of a database in which other databases can be created. */
  adminUrl: string;
  /** It was started here, and its databases are gone when it stops. */
  isOwn: boolean;
  stop(): Promise<void>;
}

/**
 * Takes the server that TEST_DATABASE_URL names, or starts one with these flags. A server that merely listens on some port
 * is never used.
 */
export async function openPostgres(flags?: string[]): Promise<OpenedPostgres> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (adminUrl) return { adminUrl, isOwn: false, async stop() {} };
  const { url, stop } = await startEmbeddedPostgres(flags);
  return { adminUrl: url, isOwn: true, stop };
}
