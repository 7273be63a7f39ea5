import { randomBytes } from "node:crypto";
import { databaseUrl, execute } from "./databases.ts";

interface CitusDatabase {
  /** On the coordinator. */
  url: string;
  /** The nodes that are not workers of this database yet, as host:port; they have the database and the extension. */
  spareWorkers: string[];
  drop(): Promise<void>;
}

/**
 * Creates a database on the Citus cluster in CITUS_URL, the coordinator's, and CITUS_WORKERS, a list of host:port. The first
 * `workerCount` become workers of the database. Returns undefined, and says why, without a cluster.
 */
export async function createCitusDatabase(workerCount: number): Promise<CitusDatabase | undefined> {
  const coordinator = process.env.CITUS_URL;
  const workers = process.env.CITUS_WORKERS?.split(",") ?? [];
  if (coordinator === undefined || workers.length < workerCount) {
    console.log(
      `Skipped: this trial needs a Citus cluster. Set CITUS_URL to the URL of the coordinator's database postgres, and ` +
        `CITUS_WORKERS to at least ${workerCount} workers: host:port,host:port`,
    );
    return undefined;
  }
  const name = `cl_trial_${randomBytes(4).toString("hex")}`;
  const adminUrls = [coordinator, ...workers.map((worker) => onHost(coordinator, worker))];
  for (const adminUrl of adminUrls) {
    await execute(adminUrl, `create database ${name}`);
    await execute(databaseUrl(adminUrl, name), "create extension citus");
  }
  const url = databaseUrl(coordinator, name);
  await execute(url, `select citus_set_coordinator_host(${sqlAddress(new URL(coordinator).host)})`);
  for (const worker of workers.slice(0, workerCount))
    await execute(url, `select citus_add_node(${sqlAddress(worker)})`);
  return {
    url,
    spareWorkers: workers.slice(workerCount),
    async drop() {
      for (const adminUrl of adminUrls)
        await execute(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

function onHost(url: string, host: string): string {
  const other = new URL(url);
  other.host = host;
  return other.href;
}

function sqlAddress(address: string): string {
  const [host = "", port = "5432"] = address.split(":");
  return `'${host}', ${port}`;
}
