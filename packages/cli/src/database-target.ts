import { type Call, type OptionSpec, usageError } from "./command.ts";
import { type DevState, findRunningDev } from "./dev/dev-state.ts";
import { dataFolderOf } from "./target.ts";

export const DATABASE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  database: {
    value: "url",
    about: "the server's database; default: DATABASE_URL, or the running `whytrace dev`",
  },
  data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
};

interface DatabaseTarget {
  url: string;
  /** Set if the database is that of the running `whytrace dev`. */
  dev?: DevState;
}

/** The database that a command works on: --database, else DATABASE_URL, else that of the running `whytrace dev`. */
export async function findDatabase(call: Call): Promise<DatabaseTarget | undefined> {
  const given = call.args.text("database") ?? call.config.databaseUrl;
  if (given !== undefined) return { url: given };
  const dev = await findRunningDev(dataFolderOf(call));
  return dev?.databaseUrl === undefined ? undefined : { url: dev.databaseUrl, dev };
}

/** The same, for a command that needs one; `reason` says what for. */
export async function databaseTarget(call: Call, command: string, reason: string): Promise<DatabaseTarget> {
  const target = await findDatabase(call);
  if (target === undefined) throw usageError(`Missing --database: ${reason}`, command);
  return target;
}

/** Host, port and name of a database, without user and password. */
export function databaseName(databaseUrl: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
    const host = searchParams.get("host") ?? hostname;
    const path = decodeURIComponent(pathname);
    // A password with an unencoded slash ends up in the path.
    if (path.includes("@")) return "as given";
    // A Unix domain socket has no host name.
    return host === "" || host.startsWith("/")
      ? `${path.slice(1)} at ${host || "the local socket"}`
      : `${host}:${searchParams.get("port") ?? (port || "5432")}${path}`;
  } catch {
    // pg accepts forms that are no URLs, such as several hosts. Their password cannot be told apart safely.
    return "as given";
  }
}
