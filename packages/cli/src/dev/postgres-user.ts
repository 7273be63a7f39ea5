import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { CliError } from "../cli-error.ts";

/** The user that PostgreSQL runs as, because it refuses to run as root; empty for our own user. */
export type PostgresUser = { uid: number; gid: number } | Record<string, never>;

const ADVICE =
  "Run whytrace as a normal user, or make its package and data folder readable for all users, or use your own PostgreSQL with --database.";

export async function postgresUser(postgres: string): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return {};
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] =
      accounts
        .split("\n")
        .find((line) => line.startsWith(`${name}:`))
        ?.split(":") ?? [];
    const user = { uid: Number(uid), gid: Number(gid) };
    if (user.uid > 0 && (await canRun(postgres, user))) return user;
  }
  throw new CliError("PostgreSQL refuses to run as root, and no other user can run it", {
    advice: ADVICE,
  });
}

async function canRun(postgres: string, user: { uid: number; gid: number }): Promise<boolean> {
  return promisify(execFile)(postgres, ["--version"], { ...user, cwd: "/" }).then(
    () => true,
    () => false,
  );
}
